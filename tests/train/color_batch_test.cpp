#include "twofold/train/color_batch.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <functional>

#include "tests/support/data_folder.h"
#include "tests/support/learning_sample.h"
#include "twofold/base/error.h"
#include "twofold/torch/graph_model.h"
#include "twofold/train/engine_choice.h"

namespace twofold::train {
namespace {

using compute::Activation;
using model::ModelKind;
using model::ModelOptions;
using model::Pooling;
using nn::GraphModel;
using torch::Tensor;

struct Case {
  std::string name;
  ModelOptions options;
};

// Every model that runs on colors torch's way, with each option that changes what is computed.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, ModelKind kind,
                       const std::function<void(ModelOptions&)>& change) {
    ModelOptions o = model::plain_options(kind);
    o.width = 5;
    o.layers = 3;
    // Smooth, so that neighboring roundings give neighboring results.
    o.activation = Activation::kTanh;
    change(o);
    all.push_back({name, o});
  };
  for (const ModelKind kind : {ModelKind::kGcn, ModelKind::kSage, ModelKind::k2Gnn}) {
    const std::string name = model::to_string(kind);
    for (const Pooling pooling :
         {Pooling::kMean, Pooling::kWeightedMean, Pooling::kSum, Pooling::kMax, Pooling::kMin})
      add(name + " " + model::to_string(pooling), kind, [&](ModelOptions& o) {
        o.pooling = pooling;
        o.jumping_knowledge = pooling == Pooling::kSum || pooling == Pooling::kMax;
        o.layers = pooling == Pooling::kMin ? 1 : 3;
      });
    add(name + " scalar attention, jumping", kind, [](ModelOptions& o) {
      o.attention = model::Attention::kScalar;
      o.pooling = Pooling::kWeightedMean;
      o.jumping_knowledge = true;
    });
    add(name + " no head, no bias", kind, [](ModelOptions& o) {
      o.head = model::Head::kNone;
      o.bias = false;
      o.pooling = Pooling::kMean;
    });
    add(name + " no head, classes, attention", kind, [](ModelOptions& o) {
      o.head = model::Head::kNone;
      o.task = model::TaskKind::kMultiClass;
      o.outputs = 3;
      o.pooling = Pooling::kWeightedMean;
    });
  }
  add("2-gnn of loops, no indicators", ModelKind::k2Gnn, [](ModelOptions& o) {
    o.loops_only = true;
    o.indicators = false;
  });
  add("sage without self-loops", ModelKind::kSage, [](ModelOptions& o) { o.self_loops = false; });
  add("gin", ModelKind::kGin, [](ModelOptions&) {});
  add("gin mean, eps, dropout", ModelKind::kGin, [](ModelOptions& o) {
    o.pooling = Pooling::kMean;
    o.train_eps = true;
    o.dropout = 0.3;
  });
  add("gin max, no batch norm", ModelKind::kGin, [](ModelOptions& o) {
    o.pooling = Pooling::kMax;
    o.batch_norm = false;
  });
  add("gin eps, no batch norm, no self-loops", ModelKind::kGin, [](ModelOptions& o) {
    o.train_eps = true;
    o.batch_norm = false;
    o.self_loops = false;
  });
  return all;
}

// Random graphs, each twice, and some in which nodes are alike.
std::vector<Graph> sample_graphs(bool attributes) {
  std::vector<Graph> graphs = testing::learning_graphs(5, 8, attributes);
  for (Graph& g : testing::learning_graphs(5, 8, attributes)) graphs.push_back(std::move(g));
  return graphs;
}

struct Sample {
  Sample(std::vector<Graph> given, const ModelOptions& options)
      : graphs(std::move(given)), model(options), data(graphs, options, input_layout(graphs, options)) {
    Random random(7);
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      data.targets.push_back(static_cast<double>(random.below(2)));
      batch.graphs.push_back(static_cast<std::uint32_t>((5 * g + 3) % graphs.size()));
    }
    // A graph may come twice.
    batch.graphs[0] = batch.graphs[1];
    batch.seed = 5;
    if (data.has_labels_only()) return;
    scaling = attribute_scaling(graphs, batch.graphs);
  }

  std::unique_ptr<TorchBatch> rows() const {
    TorchBatchOptions form;
    form.dtype = torch::kDouble;
    form.loops_only = model.loops_only;
    return make_torch_batch(data, batch, scaling, form);
  }
  std::unique_ptr<TorchBatch> colors() const {
    return ColorBatcher(data, model, scaling, torch::kDouble).make(batch);
  }
  GraphModel make_model() const {
    GraphModel made(model, static_cast<std::int64_t>(data.columns()), torch::kDouble);
    made->reset_parameters(7);
    // Biases start at 0, where some of their work cannot be seen.
    const torch::NoGradGuard guard;
    Random random(11);
    for (const model::Parameter& p : made->layout.parameters)
      if (p.is_trained && !p.is_matrix())
        for (Tensor value : made->parameter(p.name).unbind(0)) value.add_(0.3 * (random.uniform() - 0.4));
    return made;
  }

  std::vector<Graph> graphs;
  ModelOptions model;
  EncodedDataset data;
  Batch batch;
  FeatureScaling scaling;
};

// Some function of all outputs, with a slope everywhere.
Tensor mixed(const Tensor& outputs) {
  return (torch::sqrt(1 + outputs * outputs) *
          torch::arange(1, outputs.numel() + 1, outputs.options()).view_as(outputs))
      .sum();
}

double largest(const Tensor& x) { return x.numel() == 0 ? 0 : x.abs().max().item<double>(); }

void expect_same_step(const std::string& name, const Sample& sample) {
  GraphModel one = sample.make_model(), other = sample.make_model();
  const auto rows = sample.rows(), colors = sample.colors();
  const nn::Readout a = one->forward(rows->graphs), b = other->forward(colors->graphs);
  ASSERT_EQ(a.outputs.sizes(), b.outputs.sizes()) << name;
  EXPECT_LE(largest(a.outputs - b.outputs), 1e-11 * (1 + largest(a.outputs))) << name;
  EXPECT_LE(largest(a.vectors - b.vectors), 1e-11 * (1 + largest(a.vectors))) << name;
  EXPECT_LT(b.rows.size(0), a.rows.size(0)) << name << ": nothing was merged";
  mixed(a.outputs).backward();
  mixed(b.outputs).backward();
  EXPECT_GT(largest(one->flat_gradient), 0) << name;
  for (const model::Parameter& p : one->layout.parameters) {
    if (!p.is_trained) continue;
    const Tensor& on_rows = one->parameter(p.name).grad();
    const Tensor& on_colors = other->parameter(p.name).grad();
    EXPECT_LE(largest(on_rows - on_colors), 1e-10 * largest(one->flat_gradient))
        << name << ": " << p.name << ", at most " << largest(on_rows) << " on rows, " << largest(on_colors)
        << " on colors";
  }
  // Running statistics among them.
  EXPECT_LE(largest(one->flat - other->flat), 1e-12 * largest(one->flat)) << name;
  one->eval();
  other->eval();
  EXPECT_LE(largest(one->forward(rows->graphs).outputs - other->forward(colors->graphs).outputs), 1e-9) << name;
}

TEST(ColorBatches, GiveTheSameStepAsRowsInDouble) {
  for (const Case& c : cases()) expect_same_step(c.name, Sample(sample_graphs(false), c.options));
}

TEST(ColorBatches, SeeAttributesAndDegrees) {
  for (const Case& c : cases()) expect_same_step(c.name, Sample(sample_graphs(true), c.options));
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::kGcn, ModelKind::kSage}) {
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
  std::vector<Graph> graphs = {testing::path(3), GraphBuilder(0).build(), testing::path(3)};
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::kGcn, ModelKind::kSage, ModelKind::k2Gnn}) {
    ModelOptions o = model::plain_options(kind);
    o.batch_norm = false;
    Sample three(graphs, o);
    three.batch.graphs = {0, 1, 2};
    expect_same_step(model::to_string(kind), three);
    o.batch_norm = true;
    Sample sample(graphs, o);
    sample.batch.graphs = {1};
    GraphModel model = sample.make_model();
    EXPECT_EQ(model->forward(sample.colors()->graphs).outputs.size(0), 1);
    sample.batch.graphs = {};
    EXPECT_EQ(model->forward(sample.colors()->graphs).outputs.size(0), 0);
  }
}

// Plain gradient descent with momentum, all in double.
std::vector<double> train(const Sample& sample, const nn::GraphBatch& batch, int epochs) {
  GraphModel model = sample.make_model();
  std::vector<double> targets;
  for (const std::uint32_t g : sample.batch.graphs) targets.push_back(sample.data.targets[g]);
  const Tensor wanted = torch::tensor(targets, torch::kDouble).unsqueeze(1);
  Tensor speed = torch::zeros_like(model->flat);
  std::vector<double> losses;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    model->flat_gradient.zero_();
    const Tensor loss = torch::binary_cross_entropy_with_logits(model->forward(batch).outputs, wanted);
    loss.backward();
    losses.push_back(loss.item<double>());
    const torch::NoGradGuard guard;
    speed = 0.8 * speed + model->flat_gradient;
    model->flat.sub_(0.05 * speed);
  }
  return losses;
}

TEST(ColorBatches, LearnAsRowsDo) {
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::kGcn, ModelKind::kSage, ModelKind::k2Gnn}) {
    ModelOptions o = model::plain_options(kind);
    o.width = 8;
    if (kind == ModelKind::kGin) o.pooling = Pooling::kMean;
    const Sample sample(sample_graphs(false), o);
    const std::vector<double> rows = train(sample, sample.rows()->graphs, 30);
    const std::vector<double> colors = train(sample, sample.colors()->graphs, 30);
    EXPECT_LT(rows.back(), rows.front()) << model::to_string(kind);
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_NEAR(colors[i], rows[i], 1e-6 * rows[i]) << model::to_string(kind) << " epoch " << i;
  }
}

TEST(ColorBatches, GiveTheSameStepsOnRealData) {
  const std::string folder = testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << testing::kNeedsData;
  for (const auto& [name, some] : testing::real_samples(folder)) {
    for (const Case& c : cases()) {
      if (!c.options.indicators && !some[0].has_node_labels()) continue;  // no features at all
      const Sample sample(some, c.options);
      expect_same_step(name + " " + c.name, sample);
      if (c.options.task != model::TaskKind::kBinary) continue;
      const std::vector<double> rows = train(sample, sample.rows()->graphs, 30);
      const std::vector<double> colors = train(sample, sample.colors()->graphs, 30);
      for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_NEAR(colors[i], rows[i], 1e-6 * rows[i]) << name << " " << c.name << " epoch " << i;
    }
  }
}

TEST(ColorEngines, AreRowEnginesInFloatWithTheSameBitsForAnyThreads) {
  for (const Case& c : cases()) {
    const Sample sample(sample_graphs(false), c.options);
    Objective task;
    task.kind = c.options.task;
    task.outputs = static_cast<std::size_t>(c.options.outputs);
    const model::ParameterLayout layout = model::parameter_layout(c.options, sample.data.columns());
    const std::vector<double> start = model::initial_parameters(layout, 3);
    const auto step = [&](model::EngineKind kind, int threads) {
      model::EngineOptions how;
      how.kind = kind;
      how.threads = threads;
      const auto engine = make_engine(sample.data, c.options, task, how);
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
          << c.name << " value " << i;
    EXPECT_EQ(step(model::EngineKind::kColors, 2), colors) << c.name;
    EXPECT_EQ(step(model::EngineKind::kColors, 4), colors) << c.name;
  }
}

// Large enough for the loops to be shared between threads.
TEST(ColorEngines, GiveTheSameBitsForAnyThreadsOnLargeBatches) {
  Random random(3);
  std::vector<Graph> graphs;
  for (int i = 0; i < 20; ++i) graphs.push_back(testing::random_graph(random, 150, 0.03, 6));
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::kGcn, ModelKind::kSage, ModelKind::k2Gnn}) {
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

TEST(ColorEngines, AreNotForMlp) {
  const ModelOptions o = model::plain_options(ModelKind::kMlp);
  const Sample sample(sample_graphs(false), o);
  model::EngineOptions how;
  how.kind = model::EngineKind::kColors;
  EXPECT_THROW(make_engine(sample.data, o, {}, how), UsageError);
  how.kind = model::EngineKind::kAuto;
  EXPECT_EQ(make_engine(sample.data, o, {}, how)->kind(), model::EngineKind::kFused);
}

}  // namespace
}  // namespace twofold::train
