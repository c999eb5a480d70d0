#pragma once

#include <cstddef>
#include <vector>

#include "twofold/eval/plan.h"

namespace twofold::eval {

struct ScheduleOptions {
  std::size_t workers = 1;
  /// That the workers share; 0: each has one of its own.
  std::size_t cores = 0;
  /// Seconds of every worker before its first task: it reads the dataset.
  double start = 0;
  /// Seconds of one worker after that, which the others wait for: encodings, colors, Gram matrices.
  double prepare = 0;
};

/// Work that is shared, as it would go.
struct Schedule {
  double seconds = 0;        // until the last task has ended
  double work = 0;           // seconds of computing: all tasks, all starts
  std::size_t at_once = 0;   // tasks, at most
  std::vector<double> ends;  // of each task
};

/// Goes through the tasks of a plan as work() does (work.h): a worker that is free takes the first task in the
/// order of list_tasks whose fold has come that far (waits_for). No configuration is spared. `task_seconds` has
/// one value per task. On fewer cores than busy workers all of these go on at the same, lower speed. The same
/// input gives the same schedule; nothing is run.
Schedule simulate_schedule(const Plan& plan, const std::vector<double>& task_seconds,
                           const ScheduleOptions& options);

/// However many work: the start, and the longest chain of tasks that wait for each other.
double shortest_schedule(const Plan& plan, const std::vector<double>& task_seconds,
                         const ScheduleOptions& options);

}  // namespace twofold::eval
