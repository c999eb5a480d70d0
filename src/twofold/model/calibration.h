#pragma once

#include <vector>

#include "twofold/base/span.h"
#include "twofold/model/targets.h"
#include "twofold/record/json_reader.h"

namespace twofold::model {

/// How far a learner was off on graphs that it did not learn from: what intervals and calibrated probabilities
/// are made of. Nothing is in it where no graphs were held out.
struct Calibration {
  // Regression: of each value the distances between prediction and truth, ascending.
  std::vector<std::vector<double>> distances;
  // Classification: what logits are divided by so that probabilities are what they say; 0: not known.
  double temperature = 0;
  // Classification: 1 - the calibrated probability of the true class, ascending.
  std::vector<double> misses;
  // Questions: the temperature of each; 1 for one of which no answer is known.
  std::vector<double> temperatures;

  bool is_there() const { return !distances.empty() || temperature > 0 || !temperatures.empty(); }
};

/// From what was said of held-out graphs. The temperature has the smallest cross-entropy of those in 0.05..20.
/// No graphs, a value that none of them knows, or scores that are no probabilities give no calibration.
Calibration calibrate(const LabeledGraphs& truth, const Predictions& said);

/// The distance that a new graph's exceeds with a chance of at most 1 - level, if it is drawn as the held-out
/// ones were (split conformal prediction): number ceil((n + 1) level) of n, infinite if there are fewer.
/// Needs them ascending, and a level in (0, 1).
double conformal_distance(Span<const double> ascending, double level);

/// Probabilities, one per class, as if their logits had been divided by the temperature.
std::vector<double> calibrated_scores(double temperature, Span<const double> scores);

/// The same of the probability of yes.
double calibrated_chance(double temperature, double chance);

record::Json calibration_json(const Calibration& calibration);
/// The reverse, for so many values or questions, or for classes (0); nothing there gives none. Throws
/// InputError naming the place for anything else.
Calibration calibration_from(const record::JsonView& fields, std::size_t num_values);

}  // namespace twofold::model
