#include "twofold/eval/forecast.h"

#include <algorithm>

#include "twofold/eval/protocol.h"
#include "twofold/eval/work.h"

namespace twofold::eval {
namespace {

model::FitCost mean_of(const std::vector<model::FitCost>& costs) {
  model::FitCost mean;
  for (const model::FitCost& cost : costs) {
    mean.once += cost.once / static_cast<double>(costs.size());
    mean.epoch += cost.epoch / static_cast<double>(costs.size());
  }
  return mean;
}

// How many times the graphs a final run learns from that takes the validation graphs too.
double refit_growth(const Fold& fold) {
  const auto train = static_cast<double>(fold.train.size());
  return train == 0 ? 1 : (train + static_cast<double>(fold.validation.size())) / train;
}

// 0 … n−1, halves before quarters before eighths: what makes a training long (layers, width) may be an option
// that varies slowly, so the first few configurations alone would tell little of the others.
std::vector<std::size_t> spread_order(std::size_t n) {
  std::size_t bits = 0;
  while ((std::size_t{1} << bits) < n) ++bits;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < (std::size_t{1} << bits); ++i) {
    std::size_t reversed = 0;
    for (std::size_t bit = 0; bit < bits; ++bit) reversed = reversed * 2 + (i >> bit) % 2;
    if (reversed < n) order.push_back(reversed);
  }
  return order;
}

}  // namespace

std::vector<double> task_seconds(const Plan& plan, const GridCosts& costs) {
  const std::vector<Rung> rungs = rungs_of(plan);
  // One fit of a configuration with one in `share` of its epochs.
  const auto fit_seconds = [&](std::size_t config, std::size_t share) {
    const model::FitCost& cost = costs.of_config.at(config);
    return cost.seconds(most_epochs(plan.grid[config], share).value_or(0));
  };
  // Of all configurations, the dearest first: any may win, or go on to a later rung.
  const auto dearest = [&](std::size_t share) {
    std::vector<double> of_all;
    for (std::size_t c = 0; c < plan.grid.size(); ++c) of_all.push_back(fit_seconds(c, share));
    std::sort(of_all.rbegin(), of_all.rend());
    return of_all;
  };
  std::vector<std::vector<double>> of_rung;
  for (const Rung& rung : rungs) of_rung.push_back(dearest(rung.share));
  const double of_final = dearest(1).front();
  const auto inner = static_cast<double>(plan.inner_folds);
  std::vector<double> seconds;
  for (const TaskId& task : list_tasks(plan)) {
    if (task.is_final)
      seconds.push_back(of_final * (plan.refit ? refit_growth(plan.splits.at(task.fold)) : 1));
    else if (task.rung > 0)
      seconds.push_back(inner * of_rung[task.rung].at(task.config));
    else
      seconds.push_back(inner * fit_seconds(task.config, rungs[0].share));
  }
  return seconds;
}

double forecast_seconds(const Plan& plan, const GridCosts& costs, const Shard& shard) {
  const std::vector<TaskId> tasks = list_tasks(plan);
  const std::vector<double> seconds = task_seconds(plan, costs);
  double sum = costs.prepare;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (owns(shard, plan, tasks, i)) sum += seconds[i];
  return sum;
}

GridCosts measure_grid(const Plan& plan, model::Learner& learner, const model::Targets& targets,
                       const MeasureOptions& options) {
  const double start = seconds_on(Clock::kWall);
  const SelectionFold fold = selection_fold(plan, 0, targets);
  GridCosts costs;
  std::vector<model::FitCost> measured;
  const std::vector<std::size_t> order = spread_order(plan.grid.size());
  for (const std::size_t config : order) {
    if (options.progress) options.progress(measured.size(), plan.grid.size());
    measured.push_back(learner.measure(plan.grid[config], fold.train, fold.validation, options.clock));
    costs.prepare += measured.back().prepare;
    costs.measured = measured.size();
    costs.of_config.assign(plan.grid.size(), mean_of(measured));
    for (std::size_t i = 0; i < measured.size(); ++i) costs.of_config[order[i]] = measured[i];
    constexpr double kFactor = 10;
    if (kFactor * forecast_seconds(plan, costs, options.shard) < options.worth) break;
    if (options.most_seconds > 0 && seconds_on(Clock::kWall) - start > options.most_seconds) break;
  }
  return costs;
}

}  // namespace twofold::eval
