#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/eval/learner.h"

namespace twofold::testing {

/// Learns next to nothing, in no time: the training graphs' commonest class, or mean value, for graphs with an
/// even number of nodes and for those with an odd one. Its option "noise" makes so many percent of predictions
/// random; "fail" makes it throw.
class ToyLearner : public eval::Learner {
 public:
  explicit ToyLearner(eval::LearnerInput input) : input_(std::move(input)) {}

  eval::FitResult fit(const eval::Config& config, const eval::LabeledGraphs& train,
                      const eval::LabeledGraphs& validation, const eval::FitOptions& options) override {
    seen_train = train;
    seen_validation = validation;
    if (config.value("fail", false)) throw Error("the toy broke");
    const std::size_t outputs = input_.task.num_outputs();
    std::vector<std::vector<double>> sums(2, std::vector<double>(outputs, 0));
    std::vector<double> counts(2, 0);
    for (std::size_t i = 0; i < train.size(); ++i) {
      const std::size_t parity = input_.graphs[train.graphs[i]].num_nodes() % 2;
      counts[parity] += 1;
      if (input_.task.is_classification())
        sums[parity][train.class_of[i]] += 1;
      else
        for (std::size_t j = 0; j < outputs; ++j) sums[parity][j] += train.values[i * outputs + j];
    }
    for (std::size_t parity = 0; parity < 2; ++parity)
      for (double& sum : sums[parity]) sum /= std::max(counts[parity], 1.0);
    struct Model : eval::Fitted {
      eval::LearnerInput input;
      std::vector<std::vector<double>> means;
      double noise = 0;
      std::uint64_t seed = 0;
      eval::Predictions predict(Span<const std::uint32_t> graphs) override {
        eval::Predictions result;
        for (const std::uint32_t g : graphs) {
          const auto& mean = means[input.graphs[g].num_nodes() % 2];
          Random random = Random(seed).stream(g);
          if (!input.task.is_classification()) {
            result.values.insert(result.values.end(), mean.begin(), mean.end());
          } else if (random.chance(noise / 100)) {
            result.class_of.push_back(static_cast<std::uint32_t>(random.below(mean.size())));
          } else {
            result.class_of.push_back(
                static_cast<std::uint32_t>(std::max_element(mean.begin(), mean.end()) - mean.begin()));
          }
        }
        return result;
      }
    };
    auto model = std::make_unique<Model>();
    model->input = input_;
    model->means = std::move(sums);
    model->noise = config.value("noise", 0.0);
    model->seed = options.seed;
    eval::FitResult result;
    result.fitted = std::move(model);
    result.history.columns = {{"train_loss", {1.0, 0.5}}};
    return result;
  }

  eval::TwinClasses twins(const std::vector<eval::Config>&) override {
    return eval::node_feature_twins(input_.graphs);
  }

  // What the last fit was given.
  eval::LabeledGraphs seen_train, seen_validation;

 private:
  eval::LearnerInput input_;
};

}  // namespace twofold::testing
