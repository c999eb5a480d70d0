#include "twofold/train/did_it_learn.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace twofold::train {
namespace {

constexpr double kShare = 0.99;

}  // namespace

double constant_loss(const Objective& task, Span<const double> training_targets) {
  const std::size_t graphs = training_targets.size() / task.num_targets();
  std::vector<float> answer(task.outputs, 0);  // of real targets: their mean, as the network gives it
  // A class that does not occur: no finite logit, but one far enough away.
  const auto log_of = [](double value) {
    return value > 0 ? std::log(value) : static_cast<double>(std::numeric_limits<float>::lowest()) / 4;
  };
  if (task.is_yes_no()) {
    for (std::size_t c = 0; c < task.outputs; ++c) {
      double yes = 0, no = 0;
      for (std::size_t i = c; i < training_targets.size(); i += task.outputs)
        if (!std::isnan(training_targets[i])) (training_targets[i] != 0 ? yes : no) += 1;
      answer[c] = static_cast<float>(log_of(yes) - log_of(no));
    }
  } else if (!task.is_regression()) {
    std::vector<double> share(num_classes(task), 0);
    for (const double target : training_targets) {
      const auto c = static_cast<std::size_t>(target);
      share[c] += task.class_weights.empty() ? 1 : task.class_weights[c];
    }
    if (task.kind == model::TaskKind::kBinary)
      answer[0] = static_cast<float>(log_of(share[1]) - log_of(share[0]));
    else
      for (std::size_t c = 0; c < task.outputs; ++c) answer[c] = static_cast<float>(log_of(share[c]));
  }
  std::vector<float> outputs;
  for (std::size_t g = 0; g < graphs; ++g) outputs.insert(outputs.end(), answer.begin(), answer.end());
  return loss_and_slope(task, outputs, training_targets);
}

bool did_not_learn(const std::vector<EpochRecord>& history, double constant_loss) {
  if (history.size() < kLeastEpochs || !(constant_loss > 0)) return false;
  return std::none_of(history.begin(), history.end(),
                      [&](const EpochRecord& epoch) { return epoch.train_loss < kShare * constant_loss; });
}

}  // namespace twofold::train
