#include "twofold/eval/work.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include "twofold/base/clock.h"
#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/eval/protocol.h"
#include "twofold/eval/task_file.h"

namespace twofold::eval {
namespace {

model::Config timing(double seconds, double cpu_seconds, int threads) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return {{"seconds", seconds},
          {"cpu_seconds", cpu_seconds},
          {"ended", static_cast<std::int64_t>(std::time(nullptr))},
          {"host", host.data()},
          {"threads", threads},
          {"peak_memory_bytes", peak_memory()}};
}

class Worker {
 public:
  Worker(const Plan& plan, RunFolder& folder, const model::Targets& targets,
         const std::function<std::unique_ptr<model::Learner>()>& make_learner, const WorkOptions& options)
      : plan_(plan),
        folder_(folder),
        targets_(targets),
        make_learner_(make_learner),
        options_(options),
        tasks_(list_tasks(plan)),
        states_(tasks_.size(), State::kOpen) {}

  void work() {
    std::chrono::milliseconds pause(5);
    for (;;) {
      bool others_are_at_it = false;
      if (do_one(others_are_at_it)) {
        pause = std::chrono::milliseconds(5);
        continue;
      }
      if (!others_are_at_it) return;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::milliseconds(500));
    }
  }

 private:
  enum class State { kOpen, kFinished, kFailed };
  // Of some selections of a fold.
  struct Standing {
    bool has_failed = false;
    bool is_open = false;
    bool is_ours = true;  // all that are open
  };

  // Looks at the files only as long as a task is open: neither end is ever taken back meanwhile.
  State state(std::size_t i) {
    if (states_[i] == State::kOpen && folder_.has(task_file(tasks_[i]))) states_[i] = State::kFinished;
    if (states_[i] == State::kOpen && folder_.has(failure_file(tasks_[i]))) states_[i] = State::kFailed;
    return states_[i];
  }

  bool do_one(bool& others_are_at_it) {
    // Of the fold that the loop is in: how the selections that the present ones wait for stand, and how these
    // do so far. The final runs come last.
    Standing before, here;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const bool is_new_fold = i > 0 && tasks_[i].fold != tasks_[i - 1].fold;
      if (is_new_fold) {
        before = here = {};
      } else if (i > 0 && waits_for(plan_, tasks_[i], tasks_[i - 1])) {
        before.has_failed = before.has_failed || here.has_failed;
        before.is_open = before.is_open || here.is_open;
        before.is_ours = before.is_ours && here.is_ours;
        here = {};
      }
      const bool is_own = owns(options_.shard, plan_, tasks_, i);
      if (!tasks_[i].is_final) {
        if (state(i) == State::kFailed) here.has_failed = true;
        if (state(i) == State::kOpen) {
          here.is_open = true;
          here.is_ours = here.is_ours && is_own;
        }
      }
      if (state(i) != State::kOpen || !is_own) continue;
      if (before.has_failed || before.is_open) {
        // With a failed selection there is no winner. An open one of ours is in another process's hands.
        others_are_at_it = others_are_at_it || (!before.has_failed && before.is_ours);
        continue;
      }
      const std::unique_ptr<Held> claim = folder_.try_claim(i);
      if (!claim) {
        others_are_at_it = true;
        continue;
      }
      if (state(i) != State::kOpen) continue;  // finished between our look and our claim
      run(i);
      return true;
    }
    return false;
  }

  void run(std::size_t i) {
    const TaskId& task = tasks_[i];
    WorkEvent event;
    event.task = i;
    tell(event);
    const double start = seconds_on(Clock::kWall), cpu_start = seconds_on(Clock::kCpu);
    model::Config result;
    try {
      if (const std::optional<std::size_t> by = perfect_before(plan_, folder_, task)) {
        folder_.write(task_file(task), spared_selection(task, *by));
        event.kind = WorkEvent::Kind::kFinished;
        event.score = std::nan("");
        tell(event);
        return;
      }
      if (!learner_) learner_ = make_learner_();
      const Fold& fold = plan_.splits[task.fold];
      const SelectionFold known = selection_fold(plan_, task.fold, targets_);
      Progress progress;
      if (options_.on_event)
        progress = [this, i](std::uint64_t done, std::uint64_t total) {
          WorkEvent now;
          now.kind = WorkEvent::Kind::kProgress;
          now.task = i;
          now.done = done;
          now.total = total;
          tell(now);
        };
      result = task.is_final ? run_final(*learner_, plan_, task, find_winner(plan_, folder_, task.fold), known,
                                         targets_.of(fold.test), progress)
                             : run_selection(*learner_, plan_, task, config_of_task(plan_, folder_, task),
                                             known, progress);
    } catch (const UsageError&) {
      throw;  // no other task would fare better
    } catch (const std::exception& error) {
      event.reason = is_out_of_memory(error) ? out_of_memory_text() : error.what();
      if (event.reason.empty()) event.reason = "unknown";
    }
    event.seconds = seconds_on(Clock::kWall) - start;
    if (!event.reason.empty()) {
      write_failure(task, folder_, event.reason);
      event.kind = WorkEvent::Kind::kFailed;
    } else {
      folder_.write("timing/" + task_name(task) + ".json",
                    timing(event.seconds, seconds_on(Clock::kCpu) - cpu_start, options_.threads));
      const bool is_hidden = task.is_final && plan_.blind;
      folder_.write(task_file(task), is_hidden ? seal_final(result, folder_, task) : result);
      event.kind = WorkEvent::Kind::kFinished;
      event.score = number(result.at(task.is_final && !is_hidden ? "test" : "validation"));
    }
    tell(event);
  }

  void tell(const WorkEvent& event) const {
    if (options_.on_event) options_.on_event(event);
  }

  const Plan& plan_;
  RunFolder& folder_;
  const model::Targets& targets_;
  const std::function<std::unique_ptr<model::Learner>()>& make_learner_;
  const WorkOptions& options_;
  std::vector<TaskId> tasks_;
  std::vector<State> states_;
  std::unique_ptr<model::Learner> learner_;
};

}  // namespace

bool owns(const Shard& shard, const Plan& plan, const std::vector<TaskId>& tasks, std::size_t task) {
  const std::size_t number = shard.count <= plan.splits.size() ? tasks[task].fold : task;
  return number % shard.count == shard.index - 1;
}

WorkState work_state(const Plan& plan, const RunFolder& folder, const Shard& shard) {
  const std::vector<TaskId> tasks = list_tasks(plan);
  WorkState state;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!owns(shard, plan, tasks, i)) continue;
    ++state.total;
    if (folder.has(task_file(tasks[i])))
      ++state.finished;
    else if (folder.has(failure_file(tasks[i])))
      state.failed.push_back(i);
  }
  return state;
}

void write_failure(const TaskId& task, RunFolder& folder, const std::string& reason) {
  folder.write(failure_file(task), {{"task", task_name(task)}, {"reason", reason}});
}

void work(const Plan& plan, RunFolder& folder, const model::Targets& targets,
          const std::function<std::unique_ptr<model::Learner>()>& make_learner, const WorkOptions& options) {
  Worker(plan, folder, targets, make_learner, options).work();
}

}  // namespace twofold::eval
