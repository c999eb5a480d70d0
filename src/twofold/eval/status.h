#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"

namespace twofold::eval {

/// How many tasks are in which state; each is in one.
struct TaskCounts {
  std::size_t total = 0;
  std::size_t finished = 0;
  std::size_t running = 0;  // a process holds its claim at this moment
  std::size_t failed = 0;   // until it is tried again
  std::size_t left() const { return total - finished - running - failed; }
};

struct RunStatus {
  TaskCounts tasks;
  std::vector<TaskCounts> folds;
  std::vector<std::string> running;  // names of tasks
  struct Failure {
    std::string task;
    std::string reason;
  };
  std::vector<Failure> failures;
  // The best validation score of each fold so far, in the plan's metric; NaN before there is one.
  std::vector<double> best_validation;
  bool has_result = false;  // result.json is there
  bool is_sealed = false;   // blind, and nobody has opened it
  // The work done so far, and what is left divided by the tasks that run at once, as far as timing/ tells.
  double seconds = 0;
  std::optional<double> seconds_left;

  bool is_finished() const { return has_result && tasks.finished == tasks.total; }
};

/// Where a run stands. Reads files and probes locks, takes none: another process may evaluate meanwhile.
/// Damaged times count as none; a damaged task is an InputError.
RunStatus read_status(const Plan& plan, const RunFolder& folder);

/// The plan of a run folder. Throws InputError if it is none; `version` as in parse_plan.
Plan read_plan(const RunFolder& folder, const std::string& version);

}  // namespace twofold::eval
