#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"
#include "twofold/model/learner.h"
#include "twofold/model/targets.h"

namespace twofold::eval {

/// What happens to a task, for whoever watches.
struct WorkEvent {
  enum class Kind { kStarted, kProgress, kFinished, kFailed };
  Kind kind = Kind::kStarted;
  std::size_t task = 0;  // position in list_tasks
  double seconds = 0;    // of work, once finished
  // Finished: on validation graphs if it selects or the run is blind, else on test graphs; NaN: it was spared.
  double score = 0;
  std::uint64_t done = 0;   // progress: epochs
  std::uint64_t total = 0;  // at most
  std::string reason;       // failed
};

struct WorkOptions {
  Shard shard;
  int threads = 1;
  /// Called in this thread. May be empty. What it throws ends the work.
  std::function<void(const WorkEvent&)> on_event;
};

/// Whether the shard does the task: whole folds where there are enough of them, so that a fold's final runs
/// never wait for another shard.
bool owns(const Shard& shard, const Plan& plan, const std::vector<TaskId>& tasks, std::size_t task);

/// Where the tasks of a run stand.
struct WorkState {
  std::size_t total = 0;
  std::size_t finished = 0;
  std::vector<std::size_t> failed;  // positions in list_tasks
  std::size_t unfinished() const { return total - finished; }
};
/// Of the tasks of one shard, or of all.
WorkState work_state(const Plan& plan, const RunFolder& folder, const Shard& shard = {});

/// Does tasks until none is left that this process could do: all are finished, have failed, or wait for tasks
/// of another shard. Tasks that other processes are at are waited for, since they may end unfinished.
///
/// Each task is claimed, run and written; one that throws is written to failed/ with its reason and not tried
/// again before remove("failed"). What cannot be written is an Error and ends the work. `make_learner` is
/// called when the first task is there to be done.
void work(const Plan& plan, RunFolder& folder, const model::Targets& targets,
          const std::function<std::unique_ptr<model::Learner>()>& make_learner,
          const WorkOptions& options = {});

/// Writes that a task failed.
void write_failure(const TaskId& task, RunFolder& folder, const std::string& reason);

}  // namespace twofold::eval
