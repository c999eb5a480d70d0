#pragma once

#include <ostream>
#include <string>

#include "twofold/train/trainer.h"

namespace twofold::cli {

/// Shows a training as it goes on standard error: a line drawn over itself on a terminal; elsewhere a plain
/// line every ten seconds. Cleared at the end.
class TrainDisplay {
 public:
  struct Options {
    bool quiet = false;
    int epochs = 0;              // at most
    std::size_t num_graphs = 0;  // an epoch
    bool is_regression = false;
  };
  TrainDisplay(std::ostream& err, const Options& options);
  ~TrainDisplay();
  TrainDisplay(const TrainDisplay&) = delete;
  TrainDisplay& operator=(const TrainDisplay&) = delete;

  void show(const train::EpochRecord& record);
  /// Since the beginning.
  double seconds() const;

 private:
  std::string text(const train::EpochRecord& record, std::size_t room) const;

  std::ostream& err_;
  Options options_;
  bool is_terminal_ = false;
  bool is_drawn_ = false;
  double start_ = 0;
  double next_ = 0;
  int first_epoch_ = 0;  // done before this process
};

/// `93.48 %`, or the value of a regression.
std::string format_metric(double value, bool is_regression);

}  // namespace twofold::cli
