#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/model/learner.h"

namespace twofold::testing {

/// Learns next to nothing, in no time: the training graphs' commonest class, or mean value, for graphs with an
/// even number of nodes and for those with an odd one. Its option "noise" makes so many percent of predictions
/// random; "fail" makes it throw.
class ToyLearner : public model::Learner {
 public:
  explicit ToyLearner(model::LearnerInput input) : input_(std::move(input)) {}

  model::FitResult fit(const model::Config& config, const model::LabeledGraphs& train,
                       const model::LabeledGraphs& validation, const model::FitOptions& options) override {
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
    struct Model : model::Fitted {
      model::LearnerInput input;
      std::vector<std::vector<double>> means;
      double noise = 0;
      std::uint64_t seed = 0;
      model::Predictions predict(Span<const std::uint32_t> graphs) override {
        model::Predictions result;
        for (const std::uint32_t g : graphs) {
          const auto& mean = means[input.graphs[g].num_nodes() % 2];
          Random random = Random(seed).stream(g);
          if (input.task.is_classification())
            result.scores.insert(result.scores.end(), mean.begin(), mean.end());
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
    model::FitResult result;
    result.fitted = std::move(model);
    result.history.columns = {{"train_loss", {1.0, 0.5}}};
    return result;
  }

  model::TwinClasses twins(const std::vector<model::Config>&) override {
    return model::node_feature_twins(input_.graphs);
  }

  // What the last fit was given.
  model::LabeledGraphs seen_train, seen_validation;

 private:
  model::LearnerInput input_;
};

}  // namespace twofold::testing
