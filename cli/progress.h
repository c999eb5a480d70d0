#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

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
  // Columns of the terminal; 0 asks it, and shows nothing where `err` is no terminal.
  int columns = 0;
};

/// The one progress display: a line on a terminal that is drawn over itself while a work lasts, and cleared in
/// the end. Where standard error is no terminal, or with `quiet`, it shows nothing at all.
///
///     ProgressLine line(err, {"MUTAG.zip"});
///     fetch_dataset(options, line.progress());
///
/// shows `MUTAG.zip  42% [########            ] 3.20 MiB of 7.60 MiB, 1.10 MiB/s, 4 s left`;
/// where the whole is not known, only the amount and the rate.
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
  std::string text(std::uint64_t done, std::uint64_t total, double seconds) const;

  std::ostream& err_;
  ProgressOptions options_;
  double start_ = 0;
  double next_ = 0;  // when to draw again
  bool is_drawn_ = false;
};

/// Columns of the terminal that `err` is; 0 if it is none.
int terminal_columns(const std::ostream& err);

/// `4 s`, `3 min 20 s`, `2 h 05 min`: rounded to what matters.
std::string format_duration(double seconds);

}  // namespace twofold::cli
