#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "twofold/base/progress.h"

namespace twofold::cli {

struct ProgressOptions {
  std::string label;      // what is going on: `MUTAG.zip`
  std::string unit;       // what is counted, as in `graphs`; empty for bytes
  bool quiet = false;     // --quiet: show nothing
  double patience = 2.0;  // seconds of work before anything is shown
  double interval = 0.2;  // seconds between two drawings

  // For tests. Seconds on any clock; the steady clock if empty.
  std::function<double()> clock;
  // Columns of the terminal; 0 asks it, before each drawing, and shows nothing where `err` is no terminal.
  int columns = 0;
};

/// The one progress display: a line on a terminal that is drawn over itself while a work lasts, and cleared in
/// the end. Where standard error is no terminal, or with `quiet`, it shows nothing at all.
///
///     ProgressLine line(err, {"MUTAG.zip"});
///     fetch_dataset(options, line.progress());
///
/// shows `MUTAG.zip  42% [########            ] 3.20 MiB of 7.60 MiB, 1.10 MiB/s, 4 s left`;
/// where the whole is not known, only the amount and the rate. Where that is too long the label is cut first,
/// then the rate goes; how long it will take stays.
class ProgressLine {
 public:
  ProgressLine(std::ostream& err, ProgressOptions options);
  /// Clears the line: let it die before anything else is printed, also by an exception.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// What to hand to the work; empty if nothing is to be shown. Must not outlive this.
  Progress progress();

 private:
  void update(std::uint64_t done, std::uint64_t total);
  std::string text(std::uint64_t done, std::uint64_t total, double seconds, std::size_t room) const;
  int columns() const;

  std::ostream& err_;
  ProgressOptions options_;
  double start_ = 0;
  double next_ = 0;  // when to draw again
  bool is_drawn_ = false;
};

/// One line about a work: `LABEL: DETAIL; DETAIL; END`.
struct ProgressParts {
  std::string label;
  std::vector<std::string> details;  // the first is worth most
  std::string end;                   // how much is done and left
};
/// The line, at most `room` wide: the label is cut as far as its beginning still tells it, then details go, the
/// last one first, then the label; the end stays as long as there is room for it.
std::string fit_line(ProgressParts parts, std::size_t room);

/// Columns of the terminal that `err` is; 0 if it is none.
int terminal_columns(const std::ostream& err);

/// On the steady clock.
double steady_seconds();

/// `4 s`, `3 min 20 s`, `2 h 05 min`: rounded to what matters.
std::string format_duration(double seconds);

}  // namespace twofold::cli
