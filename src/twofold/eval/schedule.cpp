#include "twofold/eval/schedule.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

#include "twofold/base/error.h"

namespace twofold::eval {
namespace {

// Tasks of a fold that may run side by side; those of the next stage wait for all of them.
struct Stage {
  std::size_t begin = 0, end = 0;  // in list_tasks
  std::size_t open = 0;
};

// In the order of list_tasks. A stage that begins a fold waits for none.
struct Stages {
  std::vector<Stage> all;
  std::vector<std::size_t> of_task;
  std::vector<bool> begins_fold;
};

Stages stages_of(const Plan& plan, const std::vector<TaskId>& tasks) {
  Stages stages;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const bool is_new_fold = i == 0 || tasks[i].fold != tasks[i - 1].fold;
    if (is_new_fold || waits_for(plan, tasks[i], tasks[i - 1])) {
      stages.all.push_back({i, i, 0});
      stages.begins_fold.push_back(is_new_fold);
    }
    ++stages.all.back().end;
    ++stages.all.back().open;
    stages.of_task.push_back(stages.all.size() - 1);
  }
  return stages;
}

// Of one worker: it ends where the clock of work that all busy workers share stands at `end`.
struct Running {
  double end = 0;
  std::size_t task = 0;  // or kStart, kPrepare
  bool operator>(const Running& other) const { return end != other.end ? end > other.end : task > other.task; }
};
constexpr std::size_t kStart = static_cast<std::size_t>(-2), kPrepare = static_cast<std::size_t>(-1);

}  // namespace

Schedule simulate_schedule(const Plan& plan, const std::vector<double>& task_seconds,
                           const ScheduleOptions& options) {
  const std::vector<TaskId> tasks = list_tasks(plan);
  TWOFOLD_CHECK(task_seconds.size() == tasks.size() && options.workers > 0);
  Stages stages = stages_of(plan, tasks);
  Schedule schedule;
  schedule.ends.assign(tasks.size(), 0);

  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
  std::set<std::size_t> ready;
  std::size_t free = 0;   // workers
  double now = 0;         // seconds
  double done = 0;        // work of each worker that was busy all the time
  bool is_ready = false;  // prepared
  bool prepares = false;
  const auto begin = [&](std::size_t task, double seconds) {
    running.push({done + seconds, task});
    schedule.work += seconds;
  };
  for (std::size_t w = 0; w < options.workers; ++w) begin(kStart, options.start);
  for (std::size_t s = 0; s < stages.all.size(); ++s)
    if (stages.begins_fold[s])
      for (std::size_t i = stages.all[s].begin; i < stages.all[s].end; ++i) ready.insert(i);

  while (!running.empty()) {
    const Running next = running.top();
    const auto busy = static_cast<double>(running.size());
    const double speed = options.cores == 0 ? 1 : std::min(1.0, static_cast<double>(options.cores) / busy);
    now += (next.end - done) / speed;
    done = next.end;
    running.pop();
    if (next.task == kStart && !prepares) {
      prepares = true;
      begin(kPrepare, options.prepare);
      continue;
    }
    ++free;
    if (next.task == kPrepare) is_ready = true;
    if (next.task < tasks.size()) {
      schedule.ends[next.task] = now;
      schedule.seconds = now;
      const std::size_t s = stages.of_task[next.task];
      if (--stages.all[s].open == 0 && s + 1 < stages.all.size() && !stages.begins_fold[s + 1])
        for (std::size_t i = stages.all[s + 1].begin; i < stages.all[s + 1].end; ++i) ready.insert(i);
    }
    for (; is_ready && free > 0 && !ready.empty(); --free) {
      begin(*ready.begin(), task_seconds[*ready.begin()]);
      ready.erase(ready.begin());
    }
    if (is_ready) schedule.at_once = std::max(schedule.at_once, running.size());
  }
  return schedule;
}

double shortest_schedule(const Plan& plan, const std::vector<double>& task_seconds,
                         const ScheduleOptions& options) {
  const Stages stages = stages_of(plan, list_tasks(plan));
  double longest = 0, fold = 0;
  for (std::size_t s = 0; s < stages.all.size(); ++s) {
    if (stages.begins_fold[s]) fold = 0;
    const auto first = task_seconds.begin();
    fold += *std::max_element(first + static_cast<std::ptrdiff_t>(stages.all[s].begin),
                              first + static_cast<std::ptrdiff_t>(stages.all[s].end));
    longest = std::max(longest, fold);
  }
  return options.start + options.prepare + longest;
}

}  // namespace twofold::eval
