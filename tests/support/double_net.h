#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/base/random.h"
#include "twofold/compute/net.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/net_shape.h"

namespace twofold::testing {

/// Random targets and weights of a batch's graphs.
struct DoubleTargets {
  std::vector<std::uint32_t> classes;
  std::vector<double> values;
  std::vector<double> weights;

  DoubleTargets(const train::Objective& task, std::size_t num_graphs, Random& random) {
    double total = 0;
    for (std::size_t i = 0; i < num_graphs; ++i) {
      classes.push_back(static_cast<std::uint32_t>(random.below(std::max<std::size_t>(2, task.outputs))));
      for (std::size_t o = 0; o < task.outputs; ++o) values.push_back(random.normal());
      weights.push_back(0.5 + random.uniform());
      total += weights.back();
    }
    for (double& weight : weights) weight /= total;
  }
  compute::Targets<double> view() const { return {classes.data(), values.data(), weights.data()}; }
};

inline train::Objective objective_of(const model::ModelOptions& model) {
  train::Objective task;
  task.kind = model.task;
  task.outputs = static_cast<std::size_t>(model.outputs);
  if (task.is_regression()) {
    task.loss = model::Loss::kSquared;
    task.target_mean.assign(task.outputs, 0);
    task.target_scale.assign(task.outputs, 1);
  }
  return task;
}

/// Starting values, with biases, scales and running statistics away from theirs, so that what they do is seen.
inline std::vector<double> random_parameters(const model::ParameterLayout& layout, std::uint64_t seed) {
  std::vector<double> values = model::initial_parameters(layout, seed);
  Random random(seed + 1000);
  for (const model::Parameter& p : layout.parameters)
    for (std::size_t i = 0; !p.is_matrix() && i < p.size(); ++i)
      values[p.offset + i] += 0.3 * (random.uniform() - 0.4);
  return values;
}

/// A network in double as the engines run it in float, on rows or on colors. On the rows of a single graph
/// the rows of the last layer are given too.
class DoubleNet {
 public:
  DoubleNet(const train::EncodedDataset& data, const model::ModelOptions& model, const train::Objective& task,
            bool on_colors = false)
      : data_(data),
        model_(model),
        net_(train::net_shape(model, data.columns(), model::parameter_layout(model, data.columns()), task)),
        batches_(on_colors ? train::make_color_batches<double>(data, model, net_.shape(), task.features)
                           : train::make_row_batches<double>(data, model, net_.shape(), task.features)) {}

  const compute::NetShape& shape() const { return net_.shape(); }
  const compute::NetBatch<double>& make(const train::Batch& batch) { return batches_->make(batch); }
  compute::Net<double>& net() { return net_; }

  struct Answer {
    std::vector<double> outputs, vectors;
    std::vector<double> rows;
  };
  Answer evaluate(const train::Batch& batch, const std::vector<double>& parameters) {
    Answer answer;
    answer.outputs.resize(batch.graphs.size() * shape().num_outputs);
    answer.vectors.resize(batch.graphs.size() * shape().vector_width());
    compute::Net<double>::Result result;
    result.outputs = answer.outputs.data();
    result.vectors = answer.vectors.data();
    const compute::NetBatch<double>& made = make(batch);
    if (batch.graphs.size() == 1 && !made.has_colors) {
      answer.rows.resize(data_.num_rows(batch.graphs[0]) * shape().stack.layers.back().out());
      result.rows = answer.rows.data();
    }
    net_.outputs(made, parameters.data(), result);
    return answer;
  }

  struct Step {
    double loss = 0;
    std::vector<double> outputs, gradient;
  };
  /// In training; moves the running statistics among the parameters.
  Step train(const train::Batch& batch, const DoubleTargets& targets, std::vector<double>& parameters) {
    Step step;
    step.outputs.resize(batch.graphs.size() * shape().num_outputs);
    step.gradient.assign(shape().num_parameters, 9);
    step.loss = net_.loss_and_gradient(make(batch), targets.view(), parameters.data(), step.gradient.data(),
                                       {step.outputs.data()});
    return step;
  }

 private:
  const train::EncodedDataset& data_;
  model::ModelOptions model_;
  compute::Net<double> net_;
  std::unique_ptr<train::BatchMaker<double>> batches_;
};

/// The largest difference, as part of the largest value (at least 1e-3).
inline double apart(const std::vector<double>& found, const std::vector<double>& wanted) {
  if (found.size() != wanted.size()) return INFINITY;
  double most = 1e-3, worst = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    most = std::max(most, std::fabs(wanted[i]));
    // Not std::max, which would lose what is no number.
    if (!(std::fabs(found[i] - wanted[i]) <= worst)) worst = std::fabs(found[i] - wanted[i]);
  }
  return worst / most;
}

}  // namespace twofold::testing
