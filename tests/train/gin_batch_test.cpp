#include "twofold/train/gin_batch.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "tests/support/learning_sample.h"
#include "twofold/torch/graph_model.h"
#include "twofold/train/color_batch.h"
#include "twofold/train/net_shape.h"

namespace twofold::train {
namespace {

using model::ModelKind;
using model::ModelOptions;
using model::Pooling;
using nn::GraphModel;
using torch::Tensor;

struct Sample {
  Sample(std::vector<Graph> given, const ModelOptions& options, Random& random)
      : graphs(std::move(given)), model(options), data(graphs, options, input_layout(graphs, options)) {
    const std::size_t count = graphs.size();
    for (std::size_t i = 0; i < count; ++i)
      batch.graphs.push_back(static_cast<std::uint32_t>(random.below(count)));
    batch.seed = random.bits();
    if (!data.has_labels_only()) scaling = attribute_scaling(graphs, batch.graphs);
    task.kind = model.task;
    task.outputs = static_cast<std::size_t>(model.outputs);
    if (task.kind == model::TaskKind::kRegression)
      task.loss = random.chance(0.5) ? model::Loss::kAbsolute : model::Loss::kSquared;
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      classes.push_back(
          static_cast<std::uint32_t>(random.below(task.kind == model::TaskKind::kBinary ? 2 : task.outputs)));
      for (std::size_t o = 0; o < task.outputs; ++o) values.push_back(random.normal());
      weights.push_back(0.5 + random.uniform());
      total += weights.back();
    }
    for (double& weight : weights) weight /= total;
  }

  GraphModel make_model(std::uint64_t seed) const {
    GraphModel made(model, static_cast<std::int64_t>(data.columns()), torch::kDouble);
    made->reset_parameters(seed);
    // Biases start at 0, where some of their work cannot be seen.
    const torch::NoGradGuard guard;
    Random random(seed);
    for (const model::Parameter& p : made->layout.parameters)
      if (!p.is_matrix())
        for (Tensor value : made->parameter(p.name).unbind(0)) value.add_(0.3 * (random.uniform() - 0.4));
    return made;
  }

  Tensor loss(const Tensor& outputs) const {
    const auto as_double = torch::TensorOptions().dtype(torch::kDouble);
    const Tensor weight = torch::tensor(weights, as_double);
    const std::vector<std::int64_t> wide(classes.begin(), classes.end());
    const Tensor target = torch::tensor(wide, torch::kLong);
    const Tensor wanted = torch::tensor(values, as_double).view_as(outputs);
    Tensor each;
    switch (gin_net_shape(model, model::parameter_layout(model, data.columns()), task).loss) {
      case compute::Loss::kBinary:
        each = torch::nn::functional::binary_cross_entropy_with_logits(
            outputs.squeeze(1), target.to(torch::kDouble),
            torch::nn::functional::BinaryCrossEntropyWithLogitsFuncOptions().reduction(torch::kNone));
        break;
      case compute::Loss::kCross:
        each = torch::nn::functional::cross_entropy(
            outputs, target, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone));
        break;
      case compute::Loss::kSquared:
        each = (outputs - wanted).square().mean(1);
        break;
      case compute::Loss::kAbsolute:
        each = (outputs - wanted).abs().mean(1);
        break;
    }
    return (each * weight).sum();
  }

  std::vector<Graph> graphs;
  ModelOptions model;
  EncodedDataset data;
  Batch batch;
  FeatureScaling scaling;
  Objective task;
  std::vector<std::uint32_t> classes;
  std::vector<double> values, weights;
};

// What a step gives: outputs, gradient, parameters with their running statistics, and what both give afterwards
// in evaluation.
struct Step {
  double loss = 0;
  std::vector<double> outputs, gradient, parameters, evaluated, vectors;
};

std::vector<double> values_of(const Tensor& x) {
  const Tensor flat = x.detach().contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

Step torch_step(const Sample& sample, const nn::GraphBatch& batch, std::uint64_t seed) {
  GraphModel model = sample.make_model(seed);
  Step step;
  const Tensor outputs = model->forward(batch).outputs;
  const Tensor loss = sample.loss(outputs);
  loss.backward();
  step.loss = loss.item<double>();
  step.outputs = values_of(outputs);
  step.gradient = values_of(model->flat_gradient);
  step.parameters = values_of(model->flat);
  model->eval();
  const nn::Readout after = model->forward(batch);
  step.evaluated = values_of(after.outputs);
  step.vectors = values_of(after.vectors);
  return step;
}

Step own_step(const Sample& sample, std::uint64_t seed) {
  const GraphModel model = sample.make_model(seed);
  Step step;
  step.parameters = values_of(model->flat);
  step.gradient.assign(step.parameters.size(), 9);
  compute::GinNet<double> net(gin_net_shape(sample.model, model->layout, sample.task));
  GinBatch<double> batch;
  GinBatcher(sample.data, sample.model, sample.scaling).fill(sample.batch.graphs, batch);
  batch.net.seed = sample.batch.seed;
  step.outputs.resize(sample.batch.graphs.size() * sample.task.outputs);
  step.evaluated = step.outputs;
  step.vectors.resize(sample.batch.graphs.size() * net.vector_width());
  step.loss =
      net.loss_and_gradient(batch.net, {sample.classes.data(), sample.values.data(), sample.weights.data()},
                            step.parameters.data(), step.gradient.data(), {step.outputs.data(), nullptr});
  net.outputs(batch.net, step.parameters.data(), {step.evaluated.data(), step.vectors.data()});
  return step;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted, double part,
                 const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  double most = 1e-3, worst = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    most = std::max(most, std::fabs(wanted[i]));
    worst = std::max(worst, std::fabs(found[i] - wanted[i]));
  }
  EXPECT_LE(worst, part * most) << what;
}

void expect_same(const Step& found, const Step& wanted, const std::string& what) {
  EXPECT_NEAR(found.loss, wanted.loss, 1e-10 * (1 + wanted.loss)) << what;
  expect_near(found.outputs, wanted.outputs, 1e-10, what + ": outputs");
  expect_near(found.gradient, wanted.gradient, 1e-10, what + ": gradient");
  expect_near(found.parameters, wanted.parameters, 1e-10, what + ": running statistics");
  expect_near(found.evaluated, wanted.evaluated, 1e-9, what + ": evaluated");
  expect_near(found.vectors, wanted.vectors, 1e-9, what + ": vectors");
}

void expect_torchs_step(const Sample& sample, std::uint64_t seed, const std::string& what) {
  const Step own = own_step(sample, seed);
  TorchBatchOptions form;
  form.dtype = torch::kDouble;
  const auto rows = make_torch_batch(sample.data, sample.batch, sample.scaling, form);
  expect_same(own, torch_step(sample, rows->graphs, seed), what + " on rows");
  const auto colors =
      ColorBatcher(sample.data, sample.model, sample.scaling, torch::kDouble).make(sample.batch);
  expect_same(own, torch_step(sample, colors->graphs, seed), what + " on colors");
}

ModelOptions random_options(Random& random) {
  ModelOptions o = model::plain_options(ModelKind::kGin);
  constexpr Pooling kPoolings[] = {Pooling::kSum, Pooling::kMean, Pooling::kMax, Pooling::kMin};
  o.pooling = kPoolings[random.below(4)];
  o.layers = 1 + static_cast<int>(random.below(3));
  o.width = 1 + static_cast<int>(random.below(9));
  o.train_eps = random.chance(0.5);
  o.batch_norm = random.chance(0.6);
  o.self_loops = random.chance(0.7);
  o.dropout = random.chance(0.3) ? 0.4 : 0;
  o.task = static_cast<model::TaskKind>(random.below(3));
  o.outputs = o.task == model::TaskKind::kMultiClass ? 3 : 1;
  return o;
}

TEST(GinOnColors, IsTorchsGinInDouble) {
  Random random(3);
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    const ModelOptions o = random_options(random);
    // Each graph twice, so that there is something to merge; some trials have attributes.
    std::vector<Graph> graphs = testing::learning_graphs(trial, 6, trial % 5 == 0);
    for (Graph& g : testing::learning_graphs(trial, 6, trial % 5 == 0)) graphs.push_back(std::move(g));
    const Sample sample(std::move(graphs), o, random);
    expect_torchs_step(sample, trial + 1, "trial " + std::to_string(trial));
  }
}

// A single constant column, whose first MLP has no batch norm; then degrees as labels.
TEST(GinOnColors, IsTorchsGinOfGraphsWithoutLabels) {
  Random random(4);
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    ModelOptions o = random_options(random);
    o.degree_features = trial % 2 == 1;
    std::vector<Graph> graphs;
    for (int i = 0; i < 5; ++i)
      graphs.insert(graphs.end(),
                    {testing::random_graph(random, 7, 0.4), testing::star(3 + i), testing::path(6)});
    const Sample sample(std::move(graphs), o, random);
    expect_torchs_step(sample, trial + 1, "trial " + std::to_string(trial));
  }
}

TEST(GinOnColors, OfGraphsWithoutNodesAndOfNoGraphs) {
  Random random(5);
  ModelOptions o = model::plain_options(ModelKind::kGin);
  o.width = 3;
  Sample sample({testing::path(3), GraphBuilder(0).build(), testing::path(3)}, o, random);
  sample.batch.graphs = {0, 1, 2};
  expect_torchs_step(sample, 1, "one of three");
  sample.batch.graphs = {1, 1, 1};
  const Step empty = own_step(sample, 2);
  EXPECT_EQ(empty.outputs, empty.evaluated);
  sample.batch.graphs = {};
  EXPECT_EQ(own_step(sample, 2).loss, 0);
}

}  // namespace
}  // namespace twofold::train
