#include "twofold/eval/status.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/eval/task_file.h"

namespace twofold::eval {
namespace {

// Seconds of the finished tasks of one kind.
struct Seconds {
  double sum = 0;
  std::size_t count = 0;
  double mean() const { return sum / static_cast<double>(count); }
};

std::optional<double> task_seconds(const RunFolder& folder, const TaskId& task) {
  const std::string name = "timing/" + task_name(task) + ".json";
  try {
    if (!folder.has(name)) return std::nullopt;
    const model::Config timing = folder.read(name);
    return record::JsonView(timing, name).at("seconds").number();
  } catch (const Error&) {
    return std::nullopt;  // times are for looking at
  }
}

}  // namespace

Plan read_plan(const RunFolder& folder, const std::string& version) {
  if (!folder.has("run.json"))
    throw InputError(
        fmt::format("{}: needed a run folder of twofold evaluate, found no run.json", folder.path()));
  return parse_plan(read_file(folder.file("run.json")), read_file(folder.file("splits.json")),
                    folder.file("run.json"), version);
}

RunStatus read_status(const Plan& plan, const RunFolder& folder) {
  RunStatus status;
  status.folds.resize(plan.splits.size());
  status.best_validation.assign(plan.splits.size(), std::numeric_limits<double>::quiet_NaN());
  const std::vector<TaskId> tasks = list_tasks(plan);
  Seconds times[2];                 // selections, final runs
  std::size_t waiting[2] = {0, 0};  // those that are neither finished nor failed
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const TaskId& task = tasks[i];
    TaskCounts& fold = status.folds[task.fold];
    ++fold.total;
    // Claims are probed before files are looked at: a task that ends in between counts as running.
    const bool is_claimed = !folder.has(task_file(task)) && folder.is_claimed(i);
    if (is_claimed) {
      ++fold.running;
      ++waiting[task.is_final];
      status.running.push_back(task_name(task));
    } else if (folder.has(task_file(task))) {
      ++fold.finished;
      if (const std::optional<double> seconds = task_seconds(folder, task)) {
        times[task.is_final].sum += *seconds;
        ++times[task.is_final].count;
      }
      if (!task.is_final || rungs_of(plan).empty()) {
        const model::Config json = folder.read(task_file(task), record::checksum_rule(plan.format));
        const double score =
            record::JsonView(json, folder.file(task_file(task))).at("validation").number_or_nan();
        double& best = status.best_validation[task.fold];
        if (model::is_better(plan.metric, score, best)) best = score;
      }
    } else if (folder.has(failure_file(task))) {
      ++fold.failed;
      const model::Config json = folder.read(failure_file(task));
      status.failures.push_back(
          {task_name(task), record::JsonView(json, folder.file(failure_file(task))).at("reason").text()});
    } else {
      ++waiting[task.is_final];
    }
  }
  for (const TaskCounts& fold : status.folds) {
    status.tasks.total += fold.total;
    status.tasks.finished += fold.finished;
    status.tasks.running += fold.running;
    status.tasks.failed += fold.failed;
  }
  status.has_result = folder.has("result.json");
  status.is_sealed = plan.blind && !folder.has("revealed.json");
  status.seconds = times[0].sum + times[1].sum;
  if (times[0].count + times[1].count > 0 && waiting[0] + waiting[1] > 0) {
    // Final runs take about as long as selections until they are measured.
    const double selection = times[0].count > 0 ? times[0].mean() : times[1].mean();
    const double final_run = times[1].count > 0 ? times[1].mean() : times[0].mean();
    const double work =
        static_cast<double>(waiting[0]) * selection + static_cast<double>(waiting[1]) * final_run;
    status.seconds_left = work / static_cast<double>(std::max<std::size_t>(1, status.tasks.running));
  }
  return status;
}

}  // namespace twofold::eval
