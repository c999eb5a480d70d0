#include "twofold/eval/forecast.h"

#include <chrono>
#include <numeric>

#include "twofold/eval/protocol.h"

namespace twofold::eval {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double forecast_seconds(const Plan& plan, const std::vector<double>& epoch_seconds) {
  std::vector<double> whole;  // a configuration: to its last epoch
  for (std::size_t c = 0; c < plan.grid.size(); ++c)
    whole.push_back(epoch_seconds.at(c) * plan.grid[c].value("epochs", 1));
  // Which configurations get far is not known: later rungs and final runs take the mean.
  const double mean = mean_of(whole);
  double fold = mean * plan.repeats;
  for (const Rung& rung : rungs_of(plan))
    fold += mean * static_cast<double>(rung.configs) / static_cast<double>(rung.share);
  return fold * static_cast<double>(plan.splits.size());
}

std::optional<Forecast> forecast(const Plan& plan, model::Learner& learner, const model::Targets& targets,
                                 const ForecastOptions& options) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const SelectionFold fold = selection_fold(plan.splits.at(0), targets);
  std::vector<double> seconds;
  Forecast result;
  for (const model::Config& config : plan.grid) {
    const std::optional<double> epoch = learner.measure_epoch(config, fold.train, fold.validation);
    if (!epoch) return std::nullopt;
    seconds.push_back(*epoch);
    std::vector<double> all = seconds;
    all.resize(plan.grid.size(), mean_of(seconds));
    result.seconds = forecast_seconds(plan, all);
    result.measured = seconds.size();
    constexpr double kFactor = 10;
    if (kFactor * result.seconds < options.worth) break;
    if (std::chrono::duration<double>(Clock::now() - start).count() > options.most_seconds) break;
  }
  return result;
}

}  // namespace twofold::eval
