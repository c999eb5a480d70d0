#pragma once

#include <cstddef>
#include <optional>

#include "twofold/eval/plan.h"
#include "twofold/model/learner.h"

namespace twofold::eval {

/// How long an evaluation will take at most: every training to its last epoch.
struct Forecast {
  double seconds = 0;        // of one process that does all
  std::size_t measured = 0;  // configurations of which an epoch was measured; the others take their mean
};

struct ForecastOptions {
  /// Stop measuring after about so many seconds, and take the mean for the configurations that are left.
  double most_seconds = 20;
  /// Measure no further configuration once ten times the present forecast is less than this, in seconds: what
  /// is soon over needs no forecast.
  double worth = 0;
};

/// Measures one epoch of each configuration on the first fold's training graphs. It is a figure of this machine
/// at this moment, for people; nothing of it belongs into a record. Nothing for learners without epochs. Throws
/// Error where a configuration needs more memory than there is: before any work is done.
std::optional<Forecast> forecast(const Plan& plan, model::Learner& learner, const model::Targets& targets,
                                 const ForecastOptions& options = {});

/// The same from measured epochs, one per configuration.
double forecast_seconds(const Plan& plan, const std::vector<double>& epoch_seconds);

}  // namespace twofold::eval
