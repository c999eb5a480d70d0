#include "twofold/train/learning_rate.h"

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"

namespace twofold::train {

double LearningRate::schedule_share(double epochs_done) const {
  switch (options_.schedule) {
    case model::Schedule::kConstant:
      return 1;
    case model::Schedule::kCosine: {
      const double length = options_.epochs - options_.warmup;
      const double done = epochs_done - options_.warmup;
      if (length <= 0 || done <= 0) return 1;
      constexpr double kPi = 3.14159265358979323846;
      const double left = (1 + std::cos(kPi * std::min(1.0, done / length))) / 2;
      return options_.end_share + (1 - options_.end_share) * left;
    }
    case model::Schedule::kPlateau:
      return std::max(options_.end_share, share_);
  }
  return 1;
}

double LearningRate::at(int epoch, std::size_t step, std::size_t num_steps) const {
  TWOFOLD_CHECK(epoch >= 1 && step < num_steps);
  const auto steps = static_cast<double>(num_steps);
  const double before = (epoch - 1) + static_cast<double>(step) / steps;
  double rate = options_.learning_rate * schedule_share(before);
  if (options_.halve_every > 0) rate *= std::pow(0.5, (epoch - 1) / options_.halve_every);
  if (before >= options_.warmup) return rate;
  const double after = (epoch - 1) + static_cast<double>(step + 1) / steps;
  return rate * std::min(1.0, after / options_.warmup);
}

void LearningRate::note(int epoch, double value) {
  if (!has_best_ || value > best_ + options_.min_delta) {
    has_best_ = true;
    best_ = value;
    waited_ = 0;
    return;
  }
  // While the rate rises, that nothing gets better says nothing about it.
  if (epoch - 1 < options_.warmup || ++waited_ < options_.plateau_patience) return;
  waited_ = 0;
  share_ *= options_.plateau_factor;
}

}  // namespace twofold::train
