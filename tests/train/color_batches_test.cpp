// Colors give what rows give, for every model that runs on them (net_test.cpp has single steps of all forms).
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/data_folder.h"
#include "tests/support/double_net.h"
#include "tests/support/learning_sample.h"
#include "tests/support/network_forms.h"
#include "twofold/base/error.h"
#include "twofold/train/engine.h"

namespace twofold::train {
namespace {

using model::ModelKind;
using model::ModelOptions;
using model::Pooling;
using testing::DoubleNet;
using testing::DoubleTargets;

// Random graphs, each twice, and some in which nodes are alike.
std::vector<Graph> sample_graphs(bool attributes) {
  std::vector<Graph> graphs = testing::learning_graphs(5, 8, attributes);
  for (Graph& g : testing::learning_graphs(5, 8, attributes)) graphs.push_back(std::move(g));
  return graphs;
}

struct Sample {
  Sample(std::vector<Graph> given, const ModelOptions& options)
      : graphs(std::move(given)),
        model(options),
        data(graphs, options, input_layout(graphs, options)),
        task(testing::objective_of(options)) {
    Random random(7);
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      data.targets.push_back(static_cast<double>(random.below(2)));
      batch.graphs.push_back(static_cast<std::uint32_t>((5 * g + 3) % graphs.size()));
    }
    // A graph may come twice.
    batch.graphs[0] = batch.graphs[1];
    batch.seed = 5;
    targets = std::make_unique<DoubleTargets>(task, graphs.size(), random);
    start = testing::random_parameters(model::parameter_layout(options, data.columns()), 7);
    if (!data.has_labels_only()) task.features = attribute_scaling(graphs, batch.graphs);
  }

  std::vector<Graph> graphs;
  ModelOptions model;
  EncodedDataset data;
  Objective task;
  Batch batch;
  std::unique_ptr<DoubleTargets> targets;
  std::vector<double> start;
};

std::size_t num_last_rows(DoubleNet& net, const Batch& batch) {
  std::size_t rows = 0;
  compute::NetPart<double> part;
  const compute::NetBatch<double>& made = net.make(batch);
  for (std::size_t p = 0; p < made.parts.size(); ++p) {
    made.fill(p, part);
    rows += part.steps.back().num_rows;
  }
  return rows;
}

void expect_same_step(const std::string& name, const Sample& sample) {
  DoubleNet rows(sample.data, sample.model, sample.task, false);
  DoubleNet colors(sample.data, sample.model, sample.task, true);
  EXPECT_LT(num_last_rows(colors, sample.batch), num_last_rows(rows, sample.batch))
      << name << ": nothing was merged";
  std::vector<double> one = sample.start, other = sample.start;
  const DoubleNet::Step a = rows.train(sample.batch, *sample.targets, one),
                        b = colors.train(sample.batch, *sample.targets, other);
  EXPECT_NEAR(b.loss, a.loss, 1e-11 * (1 + a.loss)) << name;
  EXPECT_LE(testing::apart(b.outputs, a.outputs), 1e-11) << name;
  EXPECT_LE(testing::apart(b.gradient, a.gradient), 1e-10) << name;
  // Running statistics among them.
  EXPECT_LE(testing::apart(other, one), 1e-12) << name;
  const DoubleNet::Answer x = rows.evaluate(sample.batch, one), y = colors.evaluate(sample.batch, other);
  EXPECT_LE(testing::apart(y.outputs, x.outputs), 1e-10) << name;
  EXPECT_LE(testing::apart(y.vectors, x.vectors), 1e-10) << name;
}

TEST(ColorBatches, GiveTheSameStepAsRowsInDouble) {
  for (const testing::NetworkForm& form : testing::network_forms())
    expect_same_step(form.name, Sample(sample_graphs(false), form.options));
}

TEST(ColorBatches, SeeAttributesAndDegrees) {
  for (const testing::NetworkForm& form : testing::network_forms())
    expect_same_step(form.name, Sample(sample_graphs(true), form.options));
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::kGcn, ModelKind::kSage, ModelKind::kMlp}) {
    std::vector<Graph> plain;
    for (int i = 0; i < 4; ++i) plain.insert(plain.end(), {testing::cycle(5 + i), testing::path(4 + i)});
    ModelOptions o = model::plain_options(kind);
    o.width = 4;
    // A single constant column, then the degrees.
    expect_same_step(model::to_string(kind), Sample(plain, o));
    o.degree_features = true;
    expect_same_step(std::string(model::to_string(kind)) + " degrees", Sample(plain, o));
    o.degree_features = false;
    o.node_attributes = false;
    expect_same_step(std::string(model::to_string(kind)) + " blind", Sample(sample_graphs(true), o));
  }
}

TEST(ColorBatches, OfGraphsWithoutNodesAndOfNoGraphs) {
  const std::vector<Graph> graphs = {testing::path(3), GraphBuilder(0).build(), testing::path(3)};
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::kGin, ModelKind::kGcn, ModelKind::kSage,
                               ModelKind::k2Gnn, ModelKind::kMlp}) {
    const ModelOptions o = model::plain_options(kind);
    Sample sample(graphs, o);
    sample.batch.graphs = {0, 1, 2};
    expect_same_step(model::to_string(kind), sample);
    for (const bool on_colors : {false, true}) {
      DoubleNet net(sample.data, o, sample.task, on_colors);
      std::vector<double> parameters = sample.start;
      // Without rows there is nothing to normalize by, and training gives what evaluation gives.
      sample.batch.graphs = {1, 1, 1};
      EXPECT_EQ(net.train(sample.batch, *sample.targets, parameters).outputs,
                net.evaluate(sample.batch, sample.start).outputs);
      EXPECT_EQ(parameters, sample.start);
      sample.batch.graphs = {};
      EXPECT_EQ(net.train(sample.batch, *sample.targets, parameters).loss, 0);
    }
  }
}

// Plain gradient descent with momentum, all in double.
std::vector<double> train(const Sample& sample, bool on_colors, int epochs) {
  DoubleNet net(sample.data, sample.model, sample.task, on_colors);
  std::vector<double> parameters = sample.start, speed(sample.start.size(), 0), losses;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const DoubleNet::Step step = net.train(sample.batch, *sample.targets, parameters);
    losses.push_back(step.loss);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      speed[i] = 0.8 * speed[i] + step.gradient[i];
      parameters[i] -= 0.05 * speed[i];
    }
  }
  return losses;
}

void expect_same_losses(const std::string& name, const Sample& sample) {
  const std::vector<double> rows = train(sample, false, 30), colors = train(sample, true, 30);
  for (std::size_t i = 0; i < rows.size(); ++i)
    ASSERT_NEAR(colors[i], rows[i], 1e-6 * rows[i]) << name << " epoch " << i;
}

TEST(ColorBatches, LearnAsRowsDo) {
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::kGin, ModelKind::kGcn, ModelKind::kSage,
                               ModelKind::k2Gnn, ModelKind::kMlp}) {
    ModelOptions o = model::plain_options(kind);
    o.width = 8;
    if (kind == ModelKind::kGin) o.pooling = Pooling::kMean;
    const Sample sample(sample_graphs(false), o);
    const std::vector<double> rows = train(sample, false, 30);
    EXPECT_LT(rows.back(), rows.front()) << model::to_string(kind);
    expect_same_losses(model::to_string(kind), sample);
  }
}

TEST(ColorBatches, GiveTheSameStepsOnRealData) {
  const std::string folder = testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << testing::kNeedsData;
  for (const auto& [name, some] : testing::real_samples(folder))
    for (const testing::NetworkForm& form : testing::network_forms()) {
      if (!form.options.indicators && !some[0].has_node_labels()) continue;  // no features at all
      // Means of equal neighbors are all the same: deviations are nothing but rounding, which layer by layer
      // of batch normalization makes large.
      if (form.options.model == ModelKind::kSage && form.options.norm == model::Norm::kBatch &&
          !some[0].has_node_labels())
        continue;
      const Sample sample(some, form.options);
      expect_same_step(name + " " + form.name, sample);
      // engine_test.cpp lets 2-wl-gnn descend, by steps that its products of sums bear.
      if (form.options.task == model::TaskKind::kBinary && form.options.model != ModelKind::k2WlGnn)
        expect_same_losses(name + " " + form.name, sample);
    }
}

TEST(ColorEngines, AreRowEnginesInFloatWithTheSameBitsForAnyThreads) {
  for (const testing::NetworkForm& form : testing::network_forms()) {
    const Sample sample(sample_graphs(false), form.options);
    const Objective task = testing::objective_of(form.options);
    const model::ParameterLayout layout = model::parameter_layout(form.options, sample.data.columns());
    const std::vector<double> start = model::initial_parameters(layout, 3);
    const auto step = [&](model::EngineKind kind, int threads) {
      model::EngineOptions how;
      how.kind = kind;
      how.threads = threads;
      const auto engine = make_engine(sample.data, form.options, task, how);
      EXPECT_EQ(engine->kind(), kind);
      std::vector<float> parameters(start.begin(), start.end()), gradient(layout.size, 9);
      std::vector<float> outputs(sample.batch.graphs.size() * task.outputs);
      // Batches that come again are kept; the last one is.
      for (int again = 0; again < 3; ++again) {
        std::copy(start.begin(), start.end(), parameters.begin());
        engine->loss_and_gradient(sample.batch, parameters, gradient, outputs);
      }
      gradient.insert(gradient.end(), parameters.begin(), parameters.end());
      gradient.insert(gradient.end(), outputs.begin(), outputs.end());
      return gradient;
    };
    const std::vector<float> rows = step(model::EngineKind::kFused, 1),
                             colors = step(model::EngineKind::kColors, 1);
    float most = 0;
    for (std::size_t i = 0; i < layout.size; ++i) most = std::max(most, std::fabs(rows[i]));
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_NEAR(colors[i], rows[i],
                  1e-4 * (i < layout.size ? static_cast<double>(most) : 1 + std::fabs(rows[i])))
          << form.name << " value " << i;
    EXPECT_EQ(step(model::EngineKind::kColors, 2), colors) << form.name;
    EXPECT_EQ(step(model::EngineKind::kColors, 4), colors) << form.name;
  }
}

// Large enough for the loops to be shared between threads.
TEST(ColorEngines, GiveTheSameBitsForAnyThreadsOnLargeBatches) {
  Random random(3);
  std::vector<Graph> graphs;
  graphs.reserve(20);
  for (int i = 0; i < 20; ++i) graphs.push_back(testing::random_graph(random, 150, 0.03, 6));
  for (const ModelKind kind :
       {ModelKind::kGin, ModelKind::kGcn, ModelKind::kSage, ModelKind::k2Gnn, ModelKind::kMlp}) {
    const ModelOptions o = model::plain_options(kind);
    const Sample sample(graphs, o);
    std::vector<float> first;
    for (const int threads : {1, 2, 4}) {
      model::EngineOptions how;
      how.kind = model::EngineKind::kColors;
      how.threads = threads;
      const model::ParameterLayout layout = model::parameter_layout(o, sample.data.columns());
      const std::vector<double> start = model::initial_parameters(layout, 3);
      std::vector<float> parameters(start.begin(), start.end()), gradient(layout.size), outputs(graphs.size());
      make_engine(sample.data, o, {}, how)->loss_and_gradient(sample.batch, parameters, gradient, outputs);
      if (threads == 1) first = gradient;
      EXPECT_EQ(gradient, first) << model::to_string(kind) << ", " << threads << " threads";
    }
  }
}

// It has no convolutions: nodes of one label are one row, whatever graph they are of.
TEST(ColorBatches, OfMlpHaveARowPerLabel) {
  const ModelOptions o = model::plain_options(ModelKind::kMlp);
  const std::vector<Graph> graphs = sample_graphs(false);
  const Sample sample(graphs, o);
  std::set<Label> labels;
  for (const std::uint32_t g : sample.batch.graphs)
    labels.insert(graphs[g].node_labels().begin(), graphs[g].node_labels().end());
  DoubleNet net(sample.data, o, sample.task, true);
  EXPECT_EQ(num_last_rows(net, sample.batch), labels.size());
}

}  // namespace
}  // namespace twofold::train
