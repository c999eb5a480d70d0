#include "cli/command_status.h"

#include <fmt/ostream.h>

#include <cmath>

#include "cli/evaluate_print.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/version.h"
#include "twofold/eval/status.h"
#include "twofold/eval/task_file.h"

namespace twofold::cli {
namespace {

using eval::RunStatus;
using eval::TaskCounts;
using model::Config;

constexpr std::size_t kMostFailures = 3;

// One word for scripts, and the sentence that goes with it.
struct State {
  const char* word;
  std::string words;
};

State state_of(const RunStatus& status) {
  if (status.is_finished())
    return {"finished",
            status.is_sealed ? fmt::format("finished; test scores are {}", record::kSealedWords) : "finished"};
  if (status.tasks.running > 0) return {"running", "running"};
  if (status.tasks.failed > 0)
    return {"failed", "stopped with failures; the same evaluate command tries them again"};
  return {"stopped", status.tasks.finished == status.tasks.total
                         ? "all tasks are done; the same evaluate command writes the result"
                         : "stopped; the same evaluate command goes on"};
}

Config status_json(const TaskCounts& counts) {
  return {{"total", counts.total},
          {"finished", counts.finished},
          {"running", counts.running},
          {"failed", counts.failed},
          {"left", counts.left()}};
}

Config status_json(const std::string& run, const eval::Plan& plan, const RunStatus& status) {
  Config folds = Config::array(), failures = Config::array();
  for (std::size_t f = 0; f < status.folds.size(); ++f) {
    folds.push_back(status_json(status.folds[f]));
    folds.back()["best_validation"] = eval::number(status.best_validation[f]);
  }
  for (const RunStatus::Failure& failure : status.failures)
    failures.push_back({{"task", failure.task}, {"reason", failure.reason}});
  return {{"run", run},
          {"dataset", plan.dataset},
          {"model", plan.model},
          {"metric", metric_name(plan.metric)},
          {"state", state_of(status).word},
          {"blind", plan.blind},
          {"sealed", status.is_sealed},
          {"tasks", status_json(status.tasks)},
          {"folds", folds},
          {"running", status.running},
          {"failures", failures},
          {"seconds", status.seconds},
          {"seconds_left", status.seconds_left ? Config(*status.seconds_left) : Config(nullptr)}};
}

void add_row(Table& table, const std::string& name, const TaskCounts& counts, const std::string& best) {
  table.add_row({name, std::to_string(counts.finished), std::to_string(counts.running),
                 std::to_string(counts.failed), std::to_string(counts.left()), best});
}

}  // namespace

void declare_status(Options& flags, StatusOptions& options) {
  flags.add("RUN", options.run, "A run folder of twofold evaluate").required().type_name("");
  declare_json(flags, options.json);
  flags.footer(R"(
How an evaluation gets on, fold by fold: tasks done, running at this moment, failed and left, the best validation score
so far, the time it took and about how long it will take. It reads the run folder and disturbs nobody who works in it.

Examples:
  twofold status runs/nci1
  watch -n 10 twofold status runs/nci1)");
}

int run_status(const StatusOptions& options, std::ostream& out, std::ostream& /*err*/) {
  const eval::RunFolder folder(options.run);
  const eval::Plan plan = eval::read_plan(folder, version_number());
  const RunStatus status = eval::read_status(plan, folder);
  if (options.json) {
    out << record::json_text(status_json(options.run, plan, status)) << '\n';
    return 0;
  }
  const std::string metric = metric_name(plan.metric);
  fmt::print(out, "{} on {}, preset {}: {}\n\n", plan.model, plan.dataset, plan.preset, state_of(status).words);
  Table table({"fold", "done", "running", "failed", "left", "validation"});
  for (std::size_t f = 0; f < status.folds.size(); ++f)
    add_row(table, std::to_string(f + 1), status.folds[f], format_score(metric, status.best_validation[f]));
  add_row(table, "all", status.tasks, "");
  table.print(out);
  fmt::print(out, "\n{} of {} tasks done, {} of work", status.tasks.finished, status.tasks.total,
             format_duration(status.seconds));
  if (status.seconds_left)
    fmt::print(out, "; about {} left{}", format_duration(*status.seconds_left),
               status.tasks.running == 0  ? " with one process"
               : status.tasks.running > 1 ? fmt::format(" with {} at a time", status.tasks.running)
                                          : "");
  fmt::print(out, "\n");
  for (std::size_t i = 0; i < std::min(kMostFailures, status.failures.size()); ++i)
    fmt::print(out, "{} failed: {}\n", status.failures[i].task, status.failures[i].reason);
  if (status.failures.size() > kMostFailures)
    fmt::print(out, "and {} more\n", status.failures.size() - kMostFailures);
  return 0;
}

}  // namespace twofold::cli
