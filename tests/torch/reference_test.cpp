// The network that learns (compute/net.h) is held against the same network made of stock tensor operations and
// autograd (torch/graph_model.h), which was written from the options alone.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "tests/support/data_folder.h"
#include "tests/support/double_net.h"
#include "tests/support/learning_sample.h"
#include "tests/support/network_forms.h"
#include "twofold/torch/graph_batch.h"
#include "twofold/torch/graph_model.h"

namespace twofold::tensors {
namespace {

using model::ModelKind;
using model::ModelOptions;
using model::Pooling;
using testing::DoubleNet;
using testing::DoubleTargets;
using torch::Tensor;

struct Sample {
  Sample(std::vector<Graph> given, const ModelOptions& options, Random& random)
      : graphs(std::move(given)),
        model(options),
        data(graphs, options, train::input_layout(graphs, options)),
        task(testing::objective_of(options)) {
    for (std::size_t i = 0; i < graphs.size(); ++i)
      batch.graphs.push_back(static_cast<std::uint32_t>(random.below(graphs.size())));
    batch.seed = random.bits();
    if (!data.has_labels_only()) task.features = train::attribute_scaling(graphs, batch.graphs);
    if (task.is_regression() && random.chance(0.5)) task.loss = model::Loss::kAbsolute;
    targets = std::make_unique<DoubleTargets>(task, graphs.size(), random);
    parameters = testing::random_parameters(model::parameter_layout(options, data.columns()), random.bits());
  }

  std::vector<Graph> graphs;
  ModelOptions model;
  train::EncodedDataset data;
  train::Batch batch;
  train::Objective task;
  std::unique_ptr<DoubleTargets> targets;
  std::vector<double> parameters;
};

// What a step gives: outputs, gradient, parameters with their running statistics, and what the network gives
// afterwards in evaluation.
struct Step {
  double loss = 0;
  std::vector<double> outputs, gradient, parameters, evaluated, vectors;
};

std::vector<double> values_of(const Tensor& x) {
  const Tensor flat = x.detach().contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

Tensor loss_of(const Sample& sample, const Tensor& outputs) {
  namespace F = torch::nn::functional;
  const Tensor weight = torch::tensor(sample.targets->weights, torch::kDouble);
  const std::vector<std::int64_t> wide(sample.targets->classes.begin(), sample.targets->classes.end());
  const Tensor classes = torch::tensor(wide, torch::kLong);
  const Tensor wanted = torch::tensor(sample.targets->values, torch::kDouble).view_as(outputs);
  Tensor each;
  if (sample.task.kind == model::TaskKind::kBinary)
    each = F::binary_cross_entropy_with_logits(
        outputs.squeeze(1), classes.to(torch::kDouble),
        F::BinaryCrossEntropyWithLogitsFuncOptions().reduction(torch::kNone));
  else if (sample.task.kind == model::TaskKind::kMultiClass)
    each = F::cross_entropy(outputs, classes, F::CrossEntropyFuncOptions().reduction(torch::kNone));
  else if (sample.task.loss == model::Loss::kAbsolute)
    each = (outputs - wanted).abs().mean(1);
  else
    each = (outputs - wanted).square().mean(1);
  return (each * weight).sum();
}

Step torch_step(const Sample& sample) {
  GraphModel model(sample.model, static_cast<std::int64_t>(sample.data.columns()), torch::kDouble);
  {
    const torch::NoGradGuard guard;
    model->flat.copy_(torch::tensor(sample.parameters, torch::kDouble));
  }
  const GraphBatch batch =
      make_graph_batch(sample.data, sample.batch, sample.model, sample.task.features, torch::kDouble);
  Step step;
  const Tensor outputs = model->forward(batch).outputs;
  const Tensor loss = loss_of(sample, outputs);
  loss.backward();
  step.loss = loss.item<double>();
  step.outputs = values_of(outputs);
  step.gradient = values_of(model->flat_gradient);
  step.parameters = values_of(model->flat);
  model->eval();
  const Readout after = model->forward(batch);
  step.evaluated = values_of(after.outputs);
  step.vectors = values_of(after.vectors);
  return step;
}

Step own_step(const Sample& sample, bool on_colors) {
  DoubleNet net(sample.data, sample.model, sample.task, on_colors);
  Step step;
  step.parameters = sample.parameters;
  const DoubleNet::Step found = net.train(sample.batch, *sample.targets, step.parameters);
  step.loss = found.loss;
  step.outputs = found.outputs;
  step.gradient = found.gradient;
  const DoubleNet::Answer answer = net.evaluate(sample.batch, step.parameters);
  step.evaluated = answer.outputs;
  step.vectors = answer.vectors;
  return step;
}

void expect_same(const Step& found, const Step& wanted, const std::string& what) {
  EXPECT_NEAR(found.loss, wanted.loss, 1e-10 * (1 + wanted.loss)) << what;
  EXPECT_LE(testing::apart(found.outputs, wanted.outputs), 1e-10) << what << ": outputs";
  EXPECT_LE(testing::apart(found.gradient, wanted.gradient), 1e-10) << what << ": gradient";
  EXPECT_LE(testing::apart(found.parameters, wanted.parameters), 1e-10) << what << ": running statistics";
  EXPECT_LE(testing::apart(found.evaluated, wanted.evaluated), 1e-10) << what << ": evaluated";
  EXPECT_LE(testing::apart(found.vectors, wanted.vectors), 1e-10) << what << ": vectors";
}

void expect_torchs_step(const Sample& sample, const std::string& what) {
  const Step wanted = torch_step(sample);
  ASSERT_EQ(wanted.outputs.size(), sample.batch.graphs.size() * sample.task.outputs) << what;
  expect_same(own_step(sample, false), wanted, what + " on rows");
  expect_same(own_step(sample, true), wanted, what + " on colors");
}

// Each graph twice, so that there is something to merge.
std::vector<Graph> twice(std::vector<Graph> graphs) {
  const std::size_t count = graphs.size();
  for (std::size_t i = 0; i < count; ++i) graphs.push_back(graphs[i]);
  return graphs;
}

TEST(NativeNetwork, OfEveryFormTakesTorchsStepInDouble) {
  Random random(1);
  for (const testing::NetworkForm& form : testing::network_forms())
    for (const bool with_attributes : {false, true}) {
      const Sample sample(twice(testing::learning_graphs(random.bits(), 7, with_attributes)), form.options,
                          random);
      expect_torchs_step(sample, form.name + (with_attributes ? " with attributes" : ""));
    }
}

TEST(NativeNetwork, TakesTorchsStepOnRealData) {
  const std::string folder = testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << testing::kNeedsData;
  Random random(2);
  for (const auto& [name, some] : testing::real_samples(folder))
    for (const testing::NetworkForm& form : testing::network_forms()) {
      if (!form.options.indicators && !some[0].has_node_labels()) continue;  // no features at all
      // Means of equal neighbors are all the same: deviations are nothing but rounding, which layer by layer
      // of batch normalization makes large.
      if (form.options.model == ModelKind::kSage && form.options.norm == model::Norm::kBatch &&
          !some[0].has_node_labels())
        continue;
      // Some of them: triples of all pairs of a large graph are many.
      const Sample sample({some.begin(), some.begin() + 6}, form.options, random);
      expect_torchs_step(sample, name + " " + form.name);
    }
}

ModelOptions random_gin(Random& random) {
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

TEST(NativeGin, IsTorchsGinInDouble) {
  Random random(3);
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    const ModelOptions o = random_gin(random);
    const Sample sample(twice(testing::learning_graphs(trial, 6, trial % 5 == 0)), o, random);
    expect_torchs_step(sample, "trial " + std::to_string(trial));
  }
}

// A single constant column, whose first MLP has no batch norm; then degrees as labels.
TEST(NativeGin, IsTorchsGinOfGraphsWithoutLabels) {
  Random random(4);
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    ModelOptions o = random_gin(random);
    o.degree_features = trial % 2 == 1;
    std::vector<Graph> graphs;
    for (int i = 0; i < 5; ++i)
      graphs.insert(graphs.end(),
                    {testing::random_graph(random, 7, 0.4), testing::star(3 + i), testing::path(6)});
    const Sample sample(std::move(graphs), o, random);
    expect_torchs_step(sample, "trial " + std::to_string(trial));
  }
}

// A path whose nodes carry these labels.
Graph labelled_path(const std::vector<Label>& labels) {
  GraphBuilder builder(labels.size());
  for (Node v = 1; v < labels.size(); ++v) builder.add_edge(v - 1, v);
  builder.set_node_labels(labels);
  return std::move(builder).build();
}

TEST(NativeNetwork, TakesTorchsStepOnGraphsWithoutNodesAndOnASingleRow) {
  Random random(5);
  for (const testing::NetworkForm& form : testing::network_forms()) {
    const std::vector<Graph> graphs = {labelled_path({0, 1, 0, 2}), labelled_path({}), labelled_path({1})};
    Sample sample(graphs, form.options, random);
    sample.batch.graphs = {0, 1, 0};
    expect_torchs_step(sample, form.name + ", one of three is empty");
    sample.batch.graphs = {1, 2, 1};
    expect_torchs_step(sample, form.name + ", a single row");
    sample.batch.graphs = {1, 1, 1};
    expect_torchs_step(sample, form.name + ", no rows");
  }
}

TEST(GraphPool, RowsThatTieShareTheGradientEqually) {
  const Tensor x = torch::tensor({{1.0, 0.0}, {1.0, -2.0}, {0.5, 0.0}, {3.0, 4.0}}, torch::kDouble);
  RowGroups groups;
  groups.graph = index_tensor({0, 0, 0, 2});
  groups.num_graphs = 3;
  for (const Pooling pooling : {Pooling::kMax, Pooling::kMin}) {
    const Tensor rows = (pooling == Pooling::kMax ? x : -x).detach().requires_grad_();
    const Tensor pooled = graph_pool(rows, groups, pooling);
    const Tensor most = torch::tensor({{1.0, 0.0}, {0.0, 0.0}, {3.0, 4.0}}, torch::kDouble);
    EXPECT_TRUE(torch::equal(pooling == Pooling::kMax ? pooled : -pooled, most));
    pooled.sum().backward();
    EXPECT_TRUE(torch::equal(rows.grad(),
                             torch::tensor({{0.5, 0.5}, {0.5, 0.0}, {0.0, 0.5}, {1.0, 1.0}}, torch::kDouble)));
  }
}

}  // namespace
}  // namespace twofold::tensors
