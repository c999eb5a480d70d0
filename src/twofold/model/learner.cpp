#include "twofold/model/learner.h"

namespace twofold::model {

FitCost Learner::measure(const Config& config, const LabeledGraphs& train, const LabeledGraphs& validation,
                         Clock clock) {
  const double start = seconds_on(clock);
  const FitResult fit = this->fit(config, train, validation, {});
  fit.fitted->predict(train.graphs);
  fit.fitted->predict(validation.graphs);
  FitCost cost;
  cost.once = seconds_on(clock) - start;
  return cost;
}

}  // namespace twofold::model
