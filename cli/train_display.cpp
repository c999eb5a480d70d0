#include "cli/train_display.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/printable_output.h"
#include "cli/progress.h"

namespace twofold::cli {
namespace {

constexpr double kTerminalInterval = 0.2;
constexpr double kPlainInterval = 10;

std::string metric_text(double value, ShownMetric metric) {
  if (metric == ShownMetric::kError) return fmt::format("error {:.4g}", value);
  return fmt::format("{} {:.1f} %", metric == ShownMetric::kAuc ? "ROC AUC" : "accuracy", 100 * value);
}

}  // namespace

TrainDisplay::TrainDisplay(std::ostream& err, const Options& options) : err_(err), options_(options) {
  if (!options_.clock) options_.clock = steady_seconds;
  if (options_.columns == 0) options_.columns = terminal_columns(err_);
  start_ = options_.clock();
  next_ = start_ + (options_.columns > 0 ? kTerminalInterval : kPlainInterval);
}

TrainDisplay::~TrainDisplay() { clear(); }

double TrainDisplay::seconds() const { return options_.clock() - start_; }

void TrainDisplay::clear() {
  if (is_drawn_ && options_.columns > 0) err_ << line_start << line_rest_cleared << std::flush;
  is_drawn_ = false;
}

std::string TrainDisplay::text(int epoch, double epochs_done) const {
  std::vector<std::string> parts = {fmt::format("epoch {} of {}", epoch, options_.epochs)};
  const double rate = (epochs_done - options_.epochs_before) / std::max(seconds(), 1e-9);
  // Early stopping may end it sooner.
  if (rate > 0 && epochs_done < options_.epochs)
    parts.push_back("at most " + format_duration((options_.epochs - epochs_done) / rate) + " left");
  if (last_.has_validation)
    parts.push_back(fmt::format("validation {} (loss {:.4f})",
                                metric_text(last_.validation_metric, options_.metric), last_.validation_loss));
  if (last_.epoch > 0)
    parts.push_back(fmt::format("training {} (loss {:.4f})", metric_text(last_.train_metric, options_.metric),
                                last_.train_loss));
  parts.push_back(fmt::format("{:.0f} {}/s", rate * static_cast<double>(options_.num_graphs), options_.what));
  // A line that wraps cannot be drawn over; in the last column some terminals wrap already.
  const std::size_t room = options_.columns > 0 ? static_cast<std::size_t>(options_.columns - 1) : 1000;
  std::string line;
  for (const std::string& part : parts) {
    const std::string longer = line + (line.empty() ? "" : ", ") + part;
    if (longer.size() > room) break;
    line = longer;
  }
  return line;
}

void TrainDisplay::draw(int epoch, double epochs_done) {
  if (options_.quiet) return;
  const double now = options_.clock();
  if (now < next_) return;
  next_ = now + (options_.columns > 0 ? kTerminalInterval : kPlainInterval);
  is_drawn_ = true;
  if (options_.columns > 0)
    err_ << line_start << line_rest_cleared << text(epoch, epochs_done) << std::flush;
  else
    err_ << text(epoch, epochs_done) << '\n' << std::flush;
}

void TrainDisplay::show(const train::EpochRecord& record) {
  last_ = record;
  draw(record.epoch, record.epoch);
}

void TrainDisplay::show_batch(int epoch, std::size_t done) {
  const double part =
      options_.num_graphs == 0 ? 0 : static_cast<double>(done) / static_cast<double>(options_.num_graphs);
  draw(epoch, epoch - 1 + part);
}

}  // namespace twofold::cli
