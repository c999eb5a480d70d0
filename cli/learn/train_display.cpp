#include "cli/learn/train_display.h"

#include <fmt/ostream.h>
#include <unistd.h>

#include <chrono>
#include <iostream>

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

std::string TrainDisplay::text(const train::EpochRecord& record) const {
  std::string line = fmt::format("epoch {}/{}  loss {:.4f}", record.epoch, options_.epochs, record.train_loss);
  line += fmt::format("  {} {}", options_.is_regression ? "error" : "accuracy",
                      format_metric(record.train_metric, options_.is_regression));
  if (record.has_validation)
    line += fmt::format("  validation {:.4f} {}", record.validation_loss,
                        format_metric(record.validation_metric, options_.is_regression));
  const double rate = (record.epoch - first_epoch_) / std::max(seconds(), 1e-9);
  line += fmt::format("  {:.0f} graphs/s", rate * static_cast<double>(options_.num_graphs));
  if (record.epoch < options_.epochs)
    line += "  " + format_duration((options_.epochs - record.epoch) / rate) + " left";
  return line;
}

void TrainDisplay::show(const train::EpochRecord& record) {
  if (first_epoch_ == 0 && record.epoch > 1 && !is_drawn_) first_epoch_ = record.epoch - 1;
  if (options_.quiet) return;
  const double now = steady_seconds();
  if (now < next_) return;
  next_ = now + (is_terminal_ ? kTerminalInterval : kPlainInterval);
  is_drawn_ = true;
  if (is_terminal_)
    err_ << "\r\x1b[K" << text(record) << std::flush;
  else
    err_ << text(record) << '\n' << std::flush;
}

}  // namespace twofold::cli
