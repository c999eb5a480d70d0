#include "cli/learn/train_display.h"

#include <fmt/ostream.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>

#include "cli/progress.h"

namespace twofold::cli {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr double kTerminalInterval = 0.2;
constexpr double kPlainPatience = 10;
constexpr double kPlainInterval = 10;

}  // namespace

std::string format_metric(double value, bool is_regression) {
  return is_regression ? fmt::format("{:.4g}", value) : fmt::format("{:.2f} %", 100 * value);
}

TrainDisplay::TrainDisplay(std::ostream& err, const Options& options) : err_(err), options_(options) {
  is_terminal_ = &err_ == &std::cerr && isatty(STDERR_FILENO) != 0;
  start_ = steady_seconds();
  next_ = start_ + (is_terminal_ ? kTerminalInterval : kPlainPatience);
}

TrainDisplay::~TrainDisplay() {
  if (is_drawn_ && is_terminal_) err_ << "\r\x1b[K" << std::flush;
}

double TrainDisplay::seconds() const { return steady_seconds() - start_; }

std::string TrainDisplay::text(const train::EpochRecord& record, std::size_t room) const {
  ProgressParts parts;
  parts.details.push_back(fmt::format("loss {:.4f}  {} {}", record.train_loss,
                                      options_.is_regression ? "error" : "accuracy",
                                      format_metric(record.train_metric, options_.is_regression)));
  if (record.has_validation)
    parts.details.push_back(fmt::format("validation {:.4f} {}", record.validation_loss,
                                        format_metric(record.validation_metric, options_.is_regression)));
  const double rate = (record.epoch - first_epoch_) / std::max(seconds(), 1e-9);
  parts.details.push_back(fmt::format("{:.0f} graphs/s", rate * static_cast<double>(options_.num_graphs)));
  parts.end = fmt::format("epoch {}/{}", record.epoch, options_.epochs);
  if (record.epoch < options_.epochs)
    parts.end += ", " + format_duration((options_.epochs - record.epoch) / rate) + " left";
  return fit_line(std::move(parts), room);
}

void TrainDisplay::show(const train::EpochRecord& record) {
  if (first_epoch_ == 0 && record.epoch > 1 && !is_drawn_) first_epoch_ = record.epoch - 1;
  if (options_.quiet) return;
  const double now = steady_seconds();
  if (now < next_) return;
  next_ = now + (is_terminal_ ? kTerminalInterval : kPlainInterval);
  is_drawn_ = true;
  if (is_terminal_)
    err_ << "\r\x1b[K" << text(record, static_cast<std::size_t>(std::max(terminal_columns(err_) - 1, 0)))
         << std::flush;
  else
    err_ << text(record, std::numeric_limits<std::size_t>::max()) << '\n' << std::flush;
}

}  // namespace twofold::cli
