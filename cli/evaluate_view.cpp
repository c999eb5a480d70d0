#include "cli/evaluate_view.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "cli/printable_output.h"
#include "cli/progress.h"

namespace twofold::cli {
namespace {

constexpr double kDrawEvery = 0.2;
constexpr double kSayEvery = 30;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

EvaluateView::EvaluateView(std::ostream& err, const eval::Plan& plan, EvaluateViewOptions options)
    : err_(err), plan_(plan), options_(std::move(options)), tasks_(eval::list_tasks(plan)) {
  if (!options_.clock) options_.clock = seconds_now;
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    if (eval::owns(options_.shard, plan, tasks_, i)) ++total_;
  next_ = options_.clock() + (columns() > 0 ? 2 : kSayEvery);
}

EvaluateView::~EvaluateView() {
  if (is_drawn_) err_ << line_start << line_rest_cleared << std::flush;
}

int EvaluateView::columns() const { return options_.columns > 0 ? options_.columns : terminal_columns(err_); }

void EvaluateView::on_event(const eval::WorkEvent& event) {
  using Kind = eval::WorkEvent::Kind;
  const eval::TaskId& task = tasks_[event.task];
  last_task_ = event.task;
  if (event.kind == Kind::kStarted) running_[event.task] = {options_.clock(), 0, 0};
  if (event.kind == Kind::kProgress) {
    Running& running = running_.emplace(event.task, Running{options_.clock(), 0, 0}).first->second;
    running.done = event.done;
    running.total = event.total;
  }
  if (event.kind == Kind::kFailed) {
    running_.erase(event.task);
    ++failed_;
  }
  if (event.kind == Kind::kFinished) {
    running_.erase(event.task);
    ++options_.finished;
    // What was spared took no time and has no score.
    if (event.seconds > 0) (task.is_final ? options_.finals : options_.selections).add(event.seconds);
    if (!task.is_final && !std::isnan(event.score)) {
      const auto known = best_.emplace(task.fold, event.score).first;
      if (model::is_better(plan_.metric, event.score, known->second)) known->second = event.score;
    }
  }
  on_tick();
}

void EvaluateView::on_tick() {
  const double now = options_.clock();
  if (options_.quiet || now < next_) return;
  const int columns = this->columns();
  next_ = now + (columns > 0 ? kDrawEvery : kSayEvery);
  if (columns == 0) {
    fmt::print(err_, "{}\n", text(std::numeric_limits<std::size_t>::max()));
    err_.flush();
    return;
  }
  // A line that wraps cannot be drawn over; in the last column some terminals wrap already.
  err_ << line_start << text(static_cast<std::size_t>(columns - 1)) << line_rest_cleared << std::flush;
  is_drawn_ = true;
}

// Of the tasks that run, the one that was named last: what it is at, and what it is.
void EvaluateView::describe_running(std::vector<std::string>& details) const {
  if (running_.empty()) return;
  const auto last = running_.find(last_task_);
  const auto& [task, running] = last == running_.end() ? *running_.begin() : *last;
  const eval::TaskId& id = tasks_[task];
  std::string words = running_.size() > 1 ? fmt::format("{} running: ", running_.size()) : "";
  words += fmt::format("fold {}/{}", id.fold + 1, plan_.splits.size());
  if (running.total > 0) words += fmt::format(", epoch {}/{}", running.done, running.total);
  details.push_back(std::move(words));
  const std::vector<eval::Rung> rungs = eval::rungs_of(plan_);
  if (id.is_final)
    details.push_back(fmt::format("final run {}/{}", id.run, plan_.repeats));
  else
    details.push_back(
        fmt::format("configuration {}/{}{}", id.config + 1, rungs[id.rung].configs,
                    rungs.size() > 1 ? fmt::format(" of rung {}/{}", id.rung + 1, rungs.size()) : ""));
}

std::string EvaluateView::time_left() const {
  const TaskTimes &selections = options_.selections, &finals = options_.finals;
  const double now = options_.clock();
  const std::size_t over = std::min(total_, options_.finished + failed_);
  const std::size_t waiting = total_ - std::min(total_, over + running_.size());
  if (waiting + running_.size() == 0) return "";
  double task = 0;       // seconds of a task that has not begun
  bool is_most = false;  // known only as an upper bound
  if (selections.count + finals.count > 0) {
    // Final runs take about as long as selections until they are measured.
    const double selection = selections.count > 0 ? selections.mean() : finals.mean();
    const double final_run = finals.count > 0 ? finals.mean() : selections.mean();
    const double share = static_cast<double>(plan_.repeats) * static_cast<double>(plan_.splits.size()) /
                         static_cast<double>(tasks_.size());
    task = share * final_run + (1 - share) * selection;
  } else {
    TaskTimes predicted;
    for (const auto& [number, running] : running_)
      if (running.done > 0 && running.total >= running.done)
        predicted.add((now - running.start) * static_cast<double>(running.total) /
                      static_cast<double>(running.done));
    if (predicted.count == 0) return "estimating the time left";
    task = predicted.mean();
    is_most = true;  // trainings may stop early
  }
  double seconds = static_cast<double>(waiting) * task;
  for (const auto& [number, running] : running_) seconds += std::max(0.0, task - (now - running.start));
  const double at_once = std::min<double>(options_.jobs, static_cast<double>(waiting + running_.size()));
  return fmt::format("{}{} left", is_most ? "at most " : "", format_duration(seconds / std::max(1.0, at_once)));
}

std::string EvaluateView::text(std::size_t room) const {
  ProgressParts parts;
  parts.label = options_.label;
  describe_running(parts.details);
  const auto best = best_.find(tasks_[last_task_].fold);
  if (best != best_.end())
    parts.details.push_back(fmt::format("best validation {} of fold {}: {:.2f}",
                                        model::metric_name(plan_.metric), best->first + 1, best->second));
  parts.end = fmt::format("{} of {} tasks", options_.finished, total_);
  if (options_.shard.count > 1)
    parts.end += fmt::format(" of shard {}/{}", options_.shard.index, options_.shard.count);
  if (failed_ > 0) parts.end += fmt::format(", {} failed", failed_);
  const std::string left = time_left();
  if (!left.empty()) parts.end += ", " + left;
  return fit_line(std::move(parts), room);
}

void read_task_times(const eval::Plan& plan, const eval::RunFolder& folder, TaskTimes& selections,
                     TaskTimes& finals) {
  for (const eval::TaskId& task : eval::list_tasks(plan)) {
    const std::string name = eval::task_name(task) + ".json";
    if (!folder.has("tasks/" + name) || !folder.has("timing/" + name)) continue;
    try {
      (task.is_final ? finals : selections).add(folder.read("timing/" + name).at("seconds").get<double>());
    } catch (const std::exception&) {
      // Times are for looking at: one that cannot be read tells nothing.
    }
  }
}

}  // namespace twofold::cli
