#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace twofold::report {

/// What a cell's color says. The page explains the tones that its tables use (tone_meaning). The best of some
/// figures has none: most differences are smaller than the spread of the folds.
enum class Tone {
  kNone,
  kBetter,  // green: better by the 2σ rule
  kWorse,   // red: worse by the 2σ rule
  kNew,     // blue: a figure where the paper has none
  kFaint,   // grey: of less weight, as a figure taken from elsewhere
};
/// `better`, `worse`, `new`, `faint`; empty for none. In CSV, JSON and as a class of the page.
const char* tone_name(Tone tone);

/// One cell. Make them by the functions below.
struct Cell {
  enum class Kind { kEmpty, kText, kNumber, kMeanStd, kMark };
  Kind kind = Kind::kEmpty;
  std::string text;  // of a text or a mark
  double value = 0;  // of a number; the mean
  double std = 0;
  Tone tone = Tone::kNone;
  std::string note;  // a few words, small, below

  Cell with(Tone other) const;
  Cell with_note(std::string words) const;
};

Cell empty_cell();
Cell text_cell(std::string text);
/// NaN is shown as a dash and is null in JSON, nothing in CSV.
Cell number_cell(double value);
Cell mean_std_cell(double mean, double std);
/// A word where a figure was wanted: `OOM`, `no data`.
Cell mark_cell(std::string word);

/// How the figures of a column are written.
struct Column {
  enum class Kind { kText, kNumber, kMeanStd };
  std::string key;    // its name in CSV and JSON; unique in its table
  std::string title;  // its name on the page
  Kind kind = Kind::kText;
  int decimals = 1;        // behind the point; or, negative, as many digits in all
  bool with_sign = false;  // +7.4
  bool is_code = false;    // text in the letters of a program
  double least = 0;        // what is smaller, yet above 0, is written `<0.001` with that figure
  int most_decimals = 99;  // where `decimals` counts digits in all: 0.7, not 0.70, with 1
  bool is_narrow = false;  // its title in lines, the deviation below the mean: for tables of many columns
};

Column text_column(std::string key, std::string title);
Column code_column(std::string key, std::string title);
/// Whole numbers take 0 decimals and get thin spaces between thousands. -3: three digits in all, so
/// 0.00123, 12.3, 4560.
Column number_column(std::string key, std::string title, int decimals);
Column mean_std_column(std::string key, std::string title, int decimals);
/// Probabilities: three decimals, the small ones as `<0.001`.
Column p_column(std::string key, std::string title);

/// A table that can be shown on a page and read by programs. Its figures are held in full; only the page
/// rounds.
///
///     Table table("results", {text_column("learner", "learner"), mean_std_column("test", "test accuracy",
///     1)}); table.add_row({text_cell("gin"), mean_std_cell(72.93, 3.08).with(Tone::kBetter)});
class Table {
 public:
  /// The name is that of its twins (results.csv, results.json): letters, digits, `-` and `_`. The first column
  /// names the rows.
  Table(std::string name, std::vector<Column> columns);

  /// Needs one cell per column: a text in a text column, a number in a number column and so on; an empty cell
  /// or a mark fits everywhere.
  void add_row(std::vector<Cell> cells);
  /// The rows from here on stand under this heading: a line over the whole width, a first column `group` in the
  /// twins.
  void start_group(std::string heading);

  const std::string& name() const { return name_; }
  const std::vector<Column>& columns() const { return columns_; }
  std::size_t num_rows() const { return rows_.size(); }
  const std::vector<Cell>& row(std::size_t r) const { return rows_.at(r).cells; }
  bool uses(Tone tone) const;

  /// A `<table>`: figures are aligned on the decimal point and on the ±, by their text alone.
  std::string html() const;
  /// RFC 4180, in UTF-8, with a line of names. A text that a spreadsheet would take for a formula (it begins
  /// with = + - @ or a tab) gets an apostrophe in front. A mean ± std gives KEY_mean and KEY_std; where any
  /// cell of a column has a mark, tone or note, KEY_mark, KEY_tone and KEY_note follow.
  std::string csv() const;
  /// {"name", "columns": [{"key", "title", "kind"}], "rows": [{"group", "cells": {KEY: text, number, {"mean",
  /// "std"} or null}, "marks": {KEY: …}, "tones": {KEY: …}, "notes": {KEY: …}}]}; what a row has none of is
  /// left out.
  std::string json() const;

 private:
  struct Row {
    std::vector<Cell> cells;
    std::size_t group = 0;  // 0: none, else 1 + its number
  };

  std::string name_;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<std::string> groups_;
};

}  // namespace twofold::report
