#pragma once

#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"
#include "twofold/eval/work.h"

namespace twofold::cli {

/// How long tasks took, or will take.
struct TaskTimes {
  double seconds = 0;
  std::size_t count = 0;
  void add(double more) {
    seconds += more;
    ++count;
  }
  double mean() const { return count == 0 ? 0 : seconds / static_cast<double>(count); }
};

struct EvaluateViewOptions {
  std::string label;  // what is going on: `gin on MUTAG`
  int jobs = 1;
  bool quiet = false;
  eval::Shard shard;
  std::size_t finished = 0;  // tasks of the shard that were finished before
  // What those took, as far as it is known.
  TaskTimes selections;
  TaskTimes finals;

  // For tests, as in ProgressOptions.
  std::function<double()> clock;
  int columns = 0;
};

/// Shows how an evaluation gets on: on a terminal a line that is drawn over itself, elsewhere a plain line now
/// and then (none in the first 30 seconds), nothing if quiet. Folds and configurations count from 1.
///
///     gin on MUTAG: fold 2/10, epoch 40/1000; configuration 4/12; best validation accuracy of fold 2: 72.22;
///     12 of 80 tasks, 3 min 20 s left
///
/// Before the first task has ended, the epochs of those that run tell how long it takes at most.
class EvaluateView {
 public:
  EvaluateView(std::ostream& err, const eval::Plan& plan, EvaluateViewOptions options);
  /// Clears the line.
  ~EvaluateView();
  EvaluateView(const EvaluateView&) = delete;
  EvaluateView& operator=(const EvaluateView&) = delete;

  void on_event(const eval::WorkEvent& event);
  void on_tick();

 private:
  struct Running {
    double start = 0;
    std::uint64_t done = 0;  // epochs
    std::uint64_t total = 0;
  };

  int columns() const;
  std::string text(std::size_t room) const;
  std::string time_left() const;
  void describe_running(std::vector<std::string>& details) const;

  std::ostream& err_;
  const eval::Plan& plan_;
  EvaluateViewOptions options_;
  std::vector<eval::TaskId> tasks_;
  std::size_t total_ = 0;  // tasks of the shard
  std::size_t failed_ = 0;
  double next_ = 0;
  bool is_drawn_ = false;
  std::map<std::size_t, Running> running_;
  std::map<std::size_t, double> best_;  // per fold: the best validation score so far
  std::size_t last_task_ = 0;           // that something was heard of
};

/// What the finished tasks of a run took: selections and final runs.
void read_task_times(const eval::Plan& plan, const eval::RunFolder& folder, TaskTimes& selections,
                     TaskTimes& finals);

}  // namespace twofold::cli
