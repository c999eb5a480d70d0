#include "twofold/report/table.h"

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "twofold/base/csv.h"
#include "twofold/base/error.h"
#include "twofold/record/run_record.h"
#include "twofold/report/figures.h"
#include "twofold/report/markup.h"

namespace twofold::report {
namespace {

using record::Json;

constexpr std::size_t kShortName = 28;

bool fits(const Column& column, const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::kEmpty:
    case Cell::Kind::kMark:
      return true;
    case Cell::Kind::kText:
      return column.kind == Column::Kind::kText;
    case Cell::Kind::kNumber:
      return column.kind == Column::Kind::kNumber;
    case Cell::Kind::kMeanStd:
      return column.kind == Column::Kind::kMeanStd;
  }
  return false;
}

bool is_figure(const Cell& cell) {
  return (cell.kind == Cell::Kind::kNumber || cell.kind == Cell::Kind::kMeanStd) && !std::isnan(cell.value);
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

const char* kind_name(Column::Kind kind) {
  return kind == Column::Kind::kText ? "text" : kind == Column::Kind::kNumber ? "number" : "mean_std";
}

// Decimals of a figure, or minus its digits in all.
int decimals_of(const Column& column, double value) {
  if (column.decimals >= 0) return column.decimals;
  const bool has_more = std::abs(value) < std::pow(10.0, -column.decimals - 1 - column.most_decimals);
  return has_more ? column.most_decimals : column.decimals;
}

}  // namespace

const char* tone_name(Tone tone) {
  switch (tone) {
    case Tone::kNone:
      return "";
    case Tone::kBetter:
      return "better";
    case Tone::kWorse:
      return "worse";
    case Tone::kNew:
      return "new";
    case Tone::kFaint:
      return "faint";
  }
  return "";
}

Cell Cell::with(Tone other) const {
  Cell cell = *this;
  cell.tone = other;
  return cell;
}

Cell Cell::with_note(std::string words) const {
  Cell cell = *this;
  cell.note = std::move(words);
  return cell;
}

Cell empty_cell() { return {}; }

Cell text_cell(std::string text) {
  Cell cell;
  cell.kind = Cell::Kind::kText;
  cell.text = std::move(text);
  return cell;
}

Cell number_cell(double value) {
  Cell cell;
  cell.kind = Cell::Kind::kNumber;
  cell.value = value;
  return cell;
}

Cell mean_std_cell(double mean, double std) {
  Cell cell;
  cell.kind = Cell::Kind::kMeanStd;
  cell.value = mean;
  cell.std = std;
  return cell;
}

Cell mark_cell(std::string word) {
  Cell cell;
  cell.kind = Cell::Kind::kMark;
  cell.text = std::move(word);
  return cell;
}

Column text_column(std::string key, std::string title) {
  Column column;
  column.key = std::move(key);
  column.title = std::move(title);
  return column;
}

Column code_column(std::string key, std::string title) {
  Column column = text_column(std::move(key), std::move(title));
  column.is_code = true;
  return column;
}

Column number_column(std::string key, std::string title, int decimals) {
  Column column = text_column(std::move(key), std::move(title));
  column.kind = Column::Kind::kNumber;
  column.decimals = decimals;
  return column;
}

Column mean_std_column(std::string key, std::string title, int decimals) {
  Column column = number_column(std::move(key), std::move(title), decimals);
  column.kind = Column::Kind::kMeanStd;
  return column;
}

Column p_column(std::string key, std::string title) {
  Column column = number_column(std::move(key), std::move(title), 3);
  column.least = 0.001;
  return column;
}

Table::Table(std::string name, std::vector<Column> columns)
    : name_(std::move(name)), columns_(std::move(columns)) {
  TWOFOLD_CHECK(!name_.empty() && name_.find_first_not_of(
                                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
                                      std::string::npos,
                "{} is no name for a table's files", in_quotes(name_));
  TWOFOLD_CHECK(!columns_.empty());
  std::set<std::string> keys;
  for (const Column& column : columns_)
    TWOFOLD_CHECK(keys.insert(column.key).second, "table {}: two columns {}", name_, in_quotes(column.key));
}

void Table::add_row(std::vector<Cell> cells) {
  TWOFOLD_CHECK(cells.size() == columns_.size(), "table {}: {} cells in a row of {}", name_, cells.size(),
                columns_.size());
  for (std::size_t c = 0; c < cells.size(); ++c)
    TWOFOLD_CHECK(fits(columns_[c], cells[c]), "table {}: another kind of cell in column {}", name_,
                  columns_[c].key);
  rows_.push_back({std::move(cells), groups_.size()});
}

void Table::start_group(std::string heading) { groups_.push_back(std::move(heading)); }

bool Table::uses(Tone tone) const {
  for (const Row& row : rows_)
    for (const Cell& cell : row.cells)
      if (cell.tone == tone) return true;
  return false;
}

std::string Table::html() const {
  // First every column's figures, together, for only so can they be aligned.
  std::vector<std::vector<std::string>> shown(columns_.size(), std::vector<std::string>(rows_.size()));
  std::vector<std::vector<std::string>> below = shown;  // deviations of narrow columns
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    std::vector<std::size_t> places;
    std::vector<std::string> values, spreads;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Cell& cell = rows_[r].cells[c];
      shown[c][r] = cell.kind == Cell::Kind::kEmpty         ? ""
                    : is_figure(cell) || !cell.text.empty() ? cell.text
                                                            : "–";
      if (cell.kind == Cell::Kind::kText) shown[c][r] = cell.text;
      if (!is_figure(cell)) continue;
      places.push_back(r);
      const bool is_small = cell.value > 0 && cell.value < column.least;
      values.push_back(is_small ? "<" + format_figure(column.least, column.decimals)
                                : format_figure(cell.value, decimals_of(column, cell.value), column.with_sign));
      spreads.push_back(format_figure(cell.std, decimals_of(column, cell.std)));
    }
    values = align_points(values);
    spreads = align_points(spreads);
    if (!column.is_narrow) spreads = align_fronts(spreads);
    for (std::size_t i = 0; i < places.size(); ++i) {
      shown[c][places[i]] = values[i];
      if (column.kind == Column::Kind::kMeanStd)
        (column.is_narrow ? below[c] : shown[c])[places[i]] +=
            (column.is_narrow ? "±\u00a0" : "\u00a0±\u00a0") + spreads[i];
    }
  }

  std::string html = "<table>\n<thead><tr>";
  for (const Column& column : columns_)
    html += fmt::format("<th scope=\"col\"{}>{}</th>",
                        column.kind == Column::Kind::kText ? ""
                        : column.is_narrow                 ? " class=\"figure narrow\""
                                                           : " class=\"figure\"",
                        escape_markup(keep_figures_whole(column.title)));
  html += "</tr></thead>\n<tbody>\n";
  std::size_t group = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].group != group) {
      group = rows_[r].group;
      html += fmt::format("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                          columns_.size(), escape_markup(groups_[group - 1]));
    }
    html += "<tr>";
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Cell& cell = rows_[r].cells[c];
      const bool is_text = columns_[c].kind == Column::Kind::kText && cell.kind != Cell::Kind::kMark;
      // Names stay on one line while they are short.
      std::string classes = is_figure(cell) ? "figure" : !is_text ? "mark" : "";
      if (is_text && !columns_[c].is_code && cell.text.size() <= kShortName) classes = "name";
      const auto add_class = [&](const char* word) {
        classes += (classes.empty() ? "" : " ") + std::string(word);
      };
      if (columns_[c].is_narrow) add_class("narrow");
      if (cell.tone != Tone::kNone) add_class(tone_name(cell.tone));
      if (!classes.empty()) classes = fmt::format(" class=\"{}\"", classes);
      std::string content = escape_markup(shown[c][r]);
      if (columns_[c].is_code && is_text && !content.empty()) content = fmt::format("<code>{}</code>", content);
      if (!below[c][r].empty()) content += "<small>" + escape_markup(below[c][r]) + "</small>";
      if (!cell.note.empty()) content += "<small>" + escape_markup(keep_figures_whole(cell.note)) + "</small>";
      html += c == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", classes, content)
                     : fmt::format("<td{}>{}</td>", classes, content);
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string Table::csv() const {
  struct Extras {
    bool mark = false, tone = false, note = false;
  };
  std::vector<Extras> extras(columns_.size());
  for (const Row& row : rows_)
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Cell& cell = row.cells[c];
      extras[c].mark =
          extras[c].mark || (cell.kind == Cell::Kind::kMark && columns_[c].kind != Column::Kind::kText);
      extras[c].tone = extras[c].tone || cell.tone != Tone::kNone;
      extras[c].note = extras[c].note || !cell.note.empty();
    }
  std::string csv;
  const auto put = [&](bool& first, const std::string& text) {
    csv += (first ? "" : ",") + text;
    first = false;
  };
  bool first = true;
  if (!groups_.empty()) put(first, "group");
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::string& key = columns_[c].key;
    if (columns_[c].kind == Column::Kind::kMeanStd) {
      put(first, csv_cell(key + "_mean"));
      put(first, csv_cell(key + "_std"));
    } else {
      put(first, csv_cell(key));
    }
    if (extras[c].mark) put(first, csv_cell(key + "_mark"));
    if (extras[c].tone) put(first, csv_cell(key + "_tone"));
    if (extras[c].note) put(first, csv_cell(key + "_note"));
  }
  csv += "\r\n";
  for (const Row& row : rows_) {
    first = true;
    if (!groups_.empty()) put(first, row.group == 0 ? "" : csv_cell(groups_[row.group - 1]));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Cell& cell = row.cells[c];
      const bool is_mark = cell.kind == Cell::Kind::kMark;
      if (columns_[c].kind == Column::Kind::kText)
        put(first, csv_cell(cell.text));
      else
        put(first, is_figure(cell) ? csv_number(cell.value) : "");
      if (columns_[c].kind == Column::Kind::kMeanStd) put(first, is_figure(cell) ? csv_number(cell.std) : "");
      if (extras[c].mark) put(first, is_mark ? csv_cell(cell.text) : "");
      if (extras[c].tone) put(first, tone_name(cell.tone));
      if (extras[c].note) put(first, csv_cell(cell.note));
    }
    csv += "\r\n";
  }
  return csv;
}

std::string Table::json() const {
  Json columns = Json::array(), rows = Json::array();
  for (const Column& column : columns_)
    columns.push_back({{"key", column.key}, {"title", column.title}, {"kind", kind_name(column.kind)}});
  for (const Row& row : rows_) {
    Json json = Json::object();
    if (row.group > 0) json["group"] = groups_[row.group - 1];
    Json cells = Json::object(), marks = Json::object(), tones = Json::object(), notes = Json::object();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Cell& cell = row.cells[c];
      const std::string& key = columns_[c].key;
      cells[key] = nullptr;
      if (cell.kind == Cell::Kind::kText) cells[key] = cell.text;
      if (cell.kind == Cell::Kind::kNumber) cells[key] = json_number(cell.value);
      if (cell.kind == Cell::Kind::kMeanStd && !std::isnan(cell.value))
        cells[key] = {{"mean", json_number(cell.value)}, {"std", json_number(cell.std)}};
      if (cell.kind == Cell::Kind::kMark) marks[key] = cell.text;
      if (cell.tone != Tone::kNone) tones[key] = tone_name(cell.tone);
      if (!cell.note.empty()) notes[key] = cell.note;
    }
    json["cells"] = cells;
    if (!marks.empty()) json["marks"] = marks;
    if (!tones.empty()) json["tones"] = tones;
    if (!notes.empty()) json["notes"] = notes;
    rows.push_back(json);
  }
  const Json table = {{"name", name_}, {"columns", columns}, {"rows", rows}};
  return table.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace twofold::report
