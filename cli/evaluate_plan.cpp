#include "cli/evaluate_plan.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/evaluate_print.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/eval/forecast.h"
#include "twofold/eval/schedule.h"
#include "twofold/report/run_command.h"

namespace twofold::cli {
namespace {

using model::Config;

struct PlannedSchedule {
  std::size_t workers = 0;
  eval::Schedule schedule;
  /// Of all the seconds that the workers are there, how many they compute, in percent.
  double busy() const {
    const double there = schedule.seconds * static_cast<double>(workers);
    return there > 0 ? 100 * schedule.work / there : 100;
  }
  double reserved() const { return schedule.seconds * static_cast<double>(workers); }
};

struct Forecast {
  eval::GridCosts costs;
  std::vector<double> task_seconds;
  double selection = 0, finals = 0;  // CPU seconds
  std::size_t selection_tasks = 0, final_tasks = 0;
  std::uint64_t memory = 0;  // of a worker
  double shortest = 0;
  std::size_t most_at_once = 0;  // tasks: more workers have nothing to do
  std::vector<PlannedSchedule> schedules;
  PlannedSchedule call;  // that the calls are for
};

std::string evaluate_call(const eval::Plan& plan, const std::string& output) {
  report::RunView view;
  view.record.dataset = plan.dataset;
  view.record.model = plan.model;
  view.record.preset = plan.preset;
  view.record.metric = model::metric_name(plan.metric);
  view.record.folds.resize(plan.splits.size());
  view.record.run = eval::to_json(plan);
  view.repeats = static_cast<std::size_t>(plan.repeats);
  return report::evaluate_command(view, output);
}

// The most workers that compute half of the time or more, and no more than have something to do.
std::size_t worthwhile_workers(const Forecast& forecast) {
  std::size_t best = forecast.schedules.front().workers;
  for (const PlannedSchedule& one : forecast.schedules)
    if (one.busy() >= 50) best = std::max(best, one.workers);
  return std::min(best, forecast.most_at_once);
}

// Parts of seconds where they matter.
std::string duration(double seconds) {
  return seconds < 10 ? fmt::format("{:.2f} s", seconds) : format_duration(seconds);
}

// In steps of 64 MiB, with a quarter to spare.
std::uint64_t asked_memory(std::uint64_t peak) {
  constexpr std::uint64_t kStep = std::uint64_t{64} << 20;
  return (peak + peak / 4 + kStep - 1) / kStep * kStep;
}

// `hours:minutes:00`, with a quarter to spare.
std::string asked_time(double seconds) {
  const auto minutes = static_cast<std::uint64_t>(std::ceil(seconds * 1.25 / 60)) + 1;
  return fmt::format("{}:{:02}:00", minutes / 60, minutes % 60);
}

std::vector<std::string> slurm_script(const Forecast& forecast, const std::string& call) {
  return {"#!/bin/sh", fmt::format("#SBATCH --ntasks={} --cpus-per-task=1", forecast.call.workers),
          fmt::format("#SBATCH --mem-per-cpu={}M --time={}", asked_memory(forecast.memory) >> 20,
                      asked_time(forecast.call.schedule.seconds)),
          "srun " + call};
}

Forecast make_forecast(const eval::Plan& plan, model::Learner& learner, const model::Targets& targets,
                       const EvaluatePlanOptions& options, std::ostream& err) {
  Forecast forecast;
  {
    ProgressOptions shown;
    shown.label = "an epoch of each configuration";
    shown.unit = "configurations";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    eval::MeasureOptions how;
    how.clock = Clock::kCpu;
    how.most_seconds = options.most_seconds;
    how.progress = line.progress();
    forecast.costs = eval::measure_grid(plan, learner, targets, how);
  }
  forecast.memory = peak_memory();
  forecast.task_seconds = eval::task_seconds(plan, forecast.costs);
  const std::vector<eval::TaskId> tasks = eval::list_tasks(plan);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    (tasks[i].is_final ? forecast.finals : forecast.selection) += forecast.task_seconds[i];
    ++(tasks[i].is_final ? forecast.final_tasks : forecast.selection_tasks);
  }
  eval::ScheduleOptions how;
  how.start = options.read_seconds;
  how.prepare = forecast.costs.prepare;
  forecast.shortest = eval::shortest_schedule(plan, forecast.task_seconds, how);
  how.workers = tasks.size();
  forecast.most_at_once = eval::simulate_schedule(plan, forecast.task_seconds, how).at_once;
  const auto schedule = [&](std::size_t workers) {
    how.workers = workers;
    return PlannedSchedule{workers, eval::simulate_schedule(plan, forecast.task_seconds, how)};
  };
  how.cores = options.cores;
  for (const std::uint64_t workers : options.workers) forecast.schedules.push_back(schedule(workers));
  forecast.call = schedule(worthwhile_workers(forecast));
  return forecast;
}

Config to_json(const eval::Plan& plan, const Forecast& forecast, const EvaluatePlanOptions& options,
               const std::string& call) {
  Config epochs = Config::array();
  for (const model::FitCost& cost : forecast.costs.of_config)
    epochs.push_back({{"epoch_seconds", cost.epoch}, {"other_seconds", cost.once}, {"epochs", cost.epochs}});
  Config schedules = Config::array();
  for (const PlannedSchedule& one : forecast.schedules)
    schedules.push_back({{"workers", one.workers},
                         {"seconds", one.schedule.seconds},
                         {"busy_percent", one.busy()},
                         {"reserved_cpu_hours", one.reserved() / 3600}});
  return {{"dataset", plan.dataset},
          {"model", plan.model},
          {"preset", plan.preset},
          {"search", eval::to_string(plan.search)},
          {"folds", plan.splits.size()},
          {"configurations", plan.grid.size()},
          {"measured", std::move(epochs)},
          {"tasks", {{"selection", forecast.selection_tasks}, {"final", forecast.final_tasks}}},
          {"read_seconds", options.read_seconds},
          {"prepare_seconds", forecast.costs.prepare},
          {"cpu_hours", (forecast.selection + forecast.finals + forecast.costs.prepare) / 3600},
          {"memory_per_worker_bytes", forecast.memory},
          {"tasks_at_once", forecast.most_at_once},
          {"shortest_seconds", forecast.shortest},
          {"schedules", std::move(schedules)},
          {"mpirun", fmt::format("mpirun -n {} {}", forecast.call.workers, call)},
          {"slurm", slurm_script(forecast, call)}};
}

std::string describe_epochs(const std::vector<model::FitCost>& costs) {
  const auto [least, most] = std::minmax_element(
      costs.begin(), costs.end(), [](const auto& a, const auto& b) { return a.epoch < b.epoch; });
  const auto longest = std::max_element(costs.begin(), costs.end(),
                                        [](const auto& a, const auto& b) { return a.epochs < b.epochs; });
  if (longest->epochs == 0) return "";
  return fmt::format("an epoch: {:.3g} to {:.3g} s, up to {} epochs", least->epoch, most->epoch,
                     longest->epochs);
}

void print_text(const eval::Plan& plan, const Forecast& forecast, const EvaluatePlanOptions& options,
                const std::string& call, std::ostream& out) {
  print_plan_heading(plan, out);
  fmt::print(out, "tasks: {} to choose, {} final runs; at most {} at once\n", forecast.selection_tasks,
             forecast.final_tasks, forecast.most_at_once);
  fmt::print(out, "\nmeasured here, on one thread, {} configuration{}:\n", forecast.costs.measured,
             forecast.costs.measured == 1 ? "" : "s");
  fmt::print(out, "reading {:.3g} s per worker, preparing {:.3g} s once\n", options.read_seconds,
             forecast.costs.prepare);
  const std::string epochs = describe_epochs(forecast.costs.of_config);
  if (!epochs.empty()) fmt::print(out, "{}\n", epochs);
  const double all = forecast.selection + forecast.finals + forecast.costs.prepare;
  fmt::print(out, "CPU time {}{}: {} to choose, {} for final runs\n", epochs.empty() ? "" : "at most ",
             duration(all), duration(forecast.selection), duration(forecast.finals));
  fmt::print(out, "memory per worker {}\n\n", format_bytes(forecast.memory));
  Table table({"workers", "takes", "busy", "CPU hours reserved"});
  for (const PlannedSchedule& one : forecast.schedules)
    table.add_row({std::to_string(one.workers), duration(one.schedule.seconds),
                   fmt::format("{:.0f} %", one.busy()), fmt::format("{:.3g}", one.reserved() / 3600)});
  table.print(out);
  fmt::print(out, "any number: {} or more; {}\n", duration(forecast.shortest),
             options.cores == 0 ? "a core of this speed for each worker"
                                : fmt::format("{} cores of this speed for all workers", options.cores));
  fmt::print(out, "\nmpirun -n {} {}\n\n", forecast.call.workers, call);
  for (const std::string& line : slurm_script(forecast, call)) fmt::print(out, "{}\n", line);
}

}  // namespace

void plan_evaluation(const eval::Plan& plan, model::Learner& learner, const model::Targets& targets,
                     const EvaluatePlanOptions& options, std::ostream& out, std::ostream& err) {
  const Forecast forecast = make_forecast(plan, learner, targets, options, err);
  const std::string call = evaluate_call(plan, options.output);
  if (options.json)
    out << to_json(plan, forecast, options, call).dump(-1, ' ', false, Config::error_handler_t::replace)
        << '\n';
  else
    print_text(plan, forecast, options, call, out);
}

}  // namespace twofold::cli
