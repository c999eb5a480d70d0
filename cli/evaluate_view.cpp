#include "cli/evaluate_view.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>

#include "cli/progress.h"

namespace twofold::cli {
namespace {

constexpr double kDrawEvery = 0.2;
constexpr double kSayEvery = 30;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

EvaluateView::EvaluateView(std::ostream& err, const eval::Plan& plan, std::size_t finished, int jobs,
                           bool quiet)
    : err_(err),
      plan_(plan),
      tasks_(eval::list_tasks(plan)),
      finished_(finished),
      jobs_(jobs),
      quiet_(quiet),
      columns_(terminal_columns(err)),
      start_(steady_seconds()),
      next_(start_ + (columns_ > 0 ? 2 : kSayEvery)) {}

EvaluateView::~EvaluateView() {
  if (is_drawn_) err_ << "\r\x1b[K" << std::flush;
}

void EvaluateView::on_event(const eval::WorkEvent& event) {
  using Kind = eval::WorkEvent::Kind;
  const eval::TaskId& task = tasks_[event.task];
  last_fold_ = task.fold;
  if (event.kind == Kind::kStarted) running_[event.task] = "";
  if (event.kind == Kind::kProgress)
    running_[event.task] = event.total > 0 ? fmt::format(" epoch {}/{}", event.done, event.total) : "";
  if (event.kind == Kind::kFailed) {
    running_.erase(event.task);
    ++failed_;
  }
  if (event.kind == Kind::kFinished) {
    running_.erase(event.task);
    ++finished_;
    Timed& timed = task.is_final ? final_ : selection_;
    timed.seconds += event.seconds;
    ++timed.count;
    if (!task.is_final) {
      const auto known = best_.emplace(task.fold, event.score).first;
      if (eval::is_better(plan_.metric, event.score, known->second)) known->second = event.score;
    }
  }
  on_tick();
}

void EvaluateView::on_tick() {
  const double now = steady_seconds();
  if (quiet_ || now < next_) return;
  next_ = now + (columns_ > 0 ? kDrawEvery : kSayEvery);
  if (columns_ == 0) {
    fmt::print(err_, "{}\n", text());
    err_.flush();
    return;
  }
  std::string line = text();
  // A line that wraps cannot be drawn over.
  line.resize(std::min(line.size(), static_cast<std::size_t>(std::max(columns_ - 1, 0))));
  err_ << '\r' << line << "\x1b[K" << std::flush;
  is_drawn_ = true;
}

std::string EvaluateView::text() const {
  std::string line = fmt::format("{} of {} tasks", finished_, tasks_.size());
  if (failed_ > 0) line += fmt::format(", {} failed", failed_);
  // Final runs take about as long as selections until they are measured.
  const double selection = selection_.count > 0 ? selection_.mean() : final_.mean();
  const double last = final_.count > 0 ? final_.mean() : selection;
  const std::size_t open = tasks_.size() - std::min(tasks_.size(), finished_ + failed_);
  const double finals = static_cast<double>(plan_.repeats) * static_cast<double>(plan_.splits.size());
  const double share = finals / static_cast<double>(tasks_.size());
  if (selection_.count + final_.count > 0 && open > 0)
    line += fmt::format(", {} left", format_duration(static_cast<double>(open) *
                                                     (share * last + (1 - share) * selection) / jobs_));
  const auto best = best_.find(last_fold_);
  if (best != best_.end())
    line +=
        fmt::format(", best {} of fold {}: {:.2f}", eval::metric_name(plan_.metric), last_fold_, best->second);
  if (!running_.empty()) line += ", running:";
  for (const auto& [task, detail] : running_) line += " " + eval::task_name(tasks_[task]) + detail;
  return line;
}

}  // namespace twofold::cli
