#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "twofold/eval/plan.h"
#include "twofold/eval/work.h"

namespace twofold::cli {

/// Shows how an evaluation gets on: on a terminal a line that is drawn over itself, elsewhere a plain line now
/// and then (none in the first 30 seconds), nothing if quiet.
///
///     12 of 80 tasks, 2 running: select-f01-c003 epoch 40/1000, …; best of fold 1: 72.22; 3 min 20 s left
class EvaluateView {
 public:
  EvaluateView(std::ostream& err, const eval::Plan& plan, std::size_t finished, int jobs, bool quiet);
  /// Clears the line.
  ~EvaluateView();
  EvaluateView(const EvaluateView&) = delete;
  EvaluateView& operator=(const EvaluateView&) = delete;

  void on_event(const eval::WorkEvent& event);
  void on_tick();

 private:
  std::string text() const;

  struct Timed {
    double seconds = 0;
    std::size_t count = 0;
    double mean() const { return count == 0 ? 0 : seconds / static_cast<double>(count); }
  };

  std::ostream& err_;
  const eval::Plan& plan_;
  std::vector<eval::TaskId> tasks_;
  std::size_t finished_;
  std::size_t failed_ = 0;
  int jobs_;
  bool quiet_;
  int columns_;
  double start_;
  double next_;
  bool is_drawn_ = false;
  std::map<std::size_t, std::string> running_;  // what is known of each: epochs
  std::map<std::size_t, double> best_;          // a fold: the best validation so far
  std::size_t last_fold_ = 0;
  Timed selection_, final_;
};

}  // namespace twofold::cli
