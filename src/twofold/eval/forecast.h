#pragma once

#include <cstddef>
#include <vector>

#include "twofold/base/clock.h"
#include "twofold/base/progress.h"
#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"
#include "twofold/model/learner.h"

namespace twofold::eval {

/// What the configurations of a plan cost on this machine at this moment. For people: nothing of it belongs
/// into a record.
struct GridCosts {
  std::vector<model::FitCost> of_config;  // those that were not measured have the mean of the others
  std::size_t measured = 0;               // configurations
  /// What is prepared once for all fits, in seconds.
  double prepare = 0;
};

struct MeasureOptions {
  Clock clock = Clock::kWall;
  /// Stop measuring after about so many seconds; 0: measure every configuration. Those that are measured lie
  /// all over the grid.
  double most_seconds = 0;
  /// Measure no further configuration once ten times the present forecast is less than this, in seconds: what
  /// is soon over needs no forecast.
  double worth = 0;
  /// Whose forecast that is.
  Shard shard;
  /// Told how many configurations are measured. May be empty.
  Progress progress;
};

/// Measures each configuration on the first fold's training and validation graphs (Learner::measure). Throws
/// Error where one needs more memory than there is: before any work is done.
GridCosts measure_grid(const Plan& plan, model::Learner& learner, const model::Targets& targets,
                       const MeasureOptions& options = {});

/// Seconds of each task (list_tasks) at most: every training to the last epoch it may have. Which
/// configurations win is not known before: later rungs of halving and final runs take the dearest of all.
std::vector<double> task_seconds(const Plan& plan, const GridCosts& costs);

/// How long one process takes for the tasks of a shard, or for all, at most.
double forecast_seconds(const Plan& plan, const GridCosts& costs, const Shard& shard = {});

}  // namespace twofold::eval
