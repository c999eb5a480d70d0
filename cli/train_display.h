#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "twofold/train/trainer.h"

namespace twofold::cli {

/// What the metric of an epoch is: a mean absolute error, or a share.
enum class ShownMetric { kAccuracy, kAuc, kError };

/// Shows a training as it goes on standard error: a line drawn over itself on a terminal; elsewhere a plain
/// line every ten seconds. Cleared at the end.
///
/// What matters most stands first, and parts that do not fit the terminal are left out as a whole: epoch, time
/// left, validation, training, speed.
class TrainDisplay {
 public:
  struct Options {
    bool quiet = false;
    int epochs = 0;              // at most
    int epochs_before = 0;       // done before this process
    std::size_t num_graphs = 0;  // per epoch
    ShownMetric metric = ShownMetric::kAccuracy;

    // For tests. Seconds on any clock; the steady clock if empty.
    std::function<double()> clock = {};
    // Columns of the terminal; 0 asks it, and shows plain lines where `err` is none.
    int columns = 0;
    // What num_graphs are, for the speed: graphs, nodes or links.
    const char* what = "graphs";
  };
  TrainDisplay(std::ostream& err, const Options& options);
  ~TrainDisplay();
  TrainDisplay(const TrainDisplay&) = delete;
  TrainDisplay& operator=(const TrainDisplay&) = delete;

  void show(const train::EpochRecord& record);
  /// Within an epoch: so many of its graphs are done.
  void show_batch(int epoch, std::size_t done);
  /// Takes the line away, before something else is printed; the next show() draws it again.
  void clear();
  /// Since the beginning.
  double seconds() const;

 private:
  std::string text(int epoch, double epochs_done) const;
  void draw(int epoch, double epochs_done);

  std::ostream& err_;
  Options options_;
  bool is_drawn_ = false;
  double start_ = 0;
  double next_ = 0;
  train::EpochRecord last_;  // epoch 0: none yet
};

}  // namespace twofold::cli
