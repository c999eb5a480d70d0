#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "tests/support/learning_sample.h"
#include "twofold/torch/graph_model.h"
#include "twofold/torch/torch_batch.h"

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

// Every model, with each option away from its default at least once.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, ModelKind kind,
                       const std::function<void(ModelOptions&)>& change) {
    ModelOptions o = model::plain_options(kind);
    o.width = 5;
    o.layers = 2;
    change(o);
    all.push_back({name, o});
  };
  add("2-wl-gnn", ModelKind::k2WlGnn, [](ModelOptions&) {});
  add("2-wl-gnn scalar, tanh", ModelKind::k2WlGnn, [](ModelOptions& o) {
    o.attention = model::Attention::kScalar;
    o.activation = Activation::kTanh;
    o.inner_activation = Activation::kLogistic;
    o.radius = pairs::Radius::all();
  });
  add("2-wl-gnn no head, no bias", ModelKind::k2WlGnn, [](ModelOptions& o) {
    o.head = model::Head::kNone;
    o.bias = false;
    o.indicators = false;
    o.radius = pairs::Radius(1);
  });
  add("2-wl-gnn no head, classes, mean of loops", ModelKind::k2WlGnn, [](ModelOptions& o) {
    o.head = model::Head::kNone;
    o.pooling = Pooling::kMean;
    o.loops_only = true;
    o.task = model::TaskKind::kMultiClass;
    o.outputs = 3;
    o.jumping_knowledge = false;
  });
  add("2-wl-gnn attention over loops", ModelKind::k2WlGnn, [](ModelOptions& o) { o.loops_only = true; });
  add("2-gnn", ModelKind::k2Gnn, [](ModelOptions&) {});
  add("2-gnn max", ModelKind::k2Gnn, [](ModelOptions& o) {
    o.pooling = Pooling::kMax;
    o.jumping_knowledge = false;
  });
  add("gcn", ModelKind::kGcn, [](ModelOptions& o) { o.activation = Activation::kTanh; });
  add("gcn min, no bias", ModelKind::kGcn, [](ModelOptions& o) {
    o.activation = Activation::kLogistic;
    o.pooling = Pooling::kMin;
    o.bias = false;
  });
  add("sage", ModelKind::kSage, [](ModelOptions& o) { o.activation = Activation::kLogistic; });
  add("sage no head", ModelKind::kSage, [](ModelOptions& o) {
    o.activation = Activation::kTanh;
    o.head = model::Head::kNone;
    o.task = model::TaskKind::kRegression;
    o.pooling = Pooling::kSum;
  });
  add("gin", ModelKind::kGin, [](ModelOptions&) {});
  add("gin eps, dropout, mean", ModelKind::kGin, [](ModelOptions& o) {
    o.train_eps = true;
    o.dropout = 0.3;
    o.pooling = Pooling::kMean;
    o.self_loops = false;
  });
  add("gin without batch norm", ModelKind::kGin, [](ModelOptions& o) { o.batch_norm = false; });
  add("mlp", ModelKind::kMlp, [](ModelOptions&) {});
  add("mlp of summed features", ModelKind::kMlp,
      [](ModelOptions& o) { o.mlp_form = model::MlpForm::kSumOfFeatures; });
  return all;
}

struct Sample {
  std::vector<Graph> graphs;
  EncodedDataset data;
  Batch batch;

  Sample(std::vector<Graph> given, const ModelOptions& options)
      : graphs(std::move(given)), data(graphs, options, input_layout(graphs, options)) {
    for (std::uint32_t g = 0; g < graphs.size(); ++g) batch.graphs.push_back(g);
    batch.seed = 5;
  }
  Sample(const Sample&) = delete;

  std::unique_ptr<TorchBatch> tensors(const ModelOptions& options, bool stock, torch::Dtype dtype) const {
    TorchBatchOptions form;
    form.stock = stock;
    form.dtype = dtype;
    form.loops_only = options.loops_only;
    return make_torch_batch(data, batch, {}, form);
  }
};

GraphModel make_model(const Case& c, const Sample& sample, torch::Dtype dtype = torch::kDouble) {
  GraphModel model(c.options, static_cast<std::int64_t>(sample.data.columns()), dtype);
  model->reset_parameters(7);
  // Biases start at 0, where some of their work cannot be seen.
  const torch::NoGradGuard guard;
  Random random(11);
  for (const model::Parameter& p : model->layout.parameters)
    if (p.is_trained && !p.is_matrix())
      for (Tensor value : model->parameter(p.name).unbind(0)) value.add_(0.3 * (random.uniform() - 0.4));
  return model;
}

// A fixed sum of the outputs, so that a gradient says something about each.
Tensor total(const Tensor& outputs) {
  const Tensor weights = torch::linspace(0.3, 1.7, outputs.numel(), outputs.options()).view(outputs.sizes());
  return (outputs * weights).sum();
}

TEST(Models, PassFiniteDifferencesInEveryParameter) {
  for (const bool with_attributes : {false, true})
    for (const Case& c : cases()) {
      const Sample sample(testing::learning_graphs(1, 5, with_attributes), c.options);
      GraphModel model = make_model(c, sample);
      const auto tensors = sample.tensors(c.options, false, torch::kDouble);
      model->flat_gradient.zero_();
      total(model->forward(tensors->graphs).outputs).backward();
      const Tensor gradient = model->flat_gradient.clone();
      const torch::NoGradGuard guard;
      for (const model::Parameter& p : model->layout.parameters) {
        if (!p.is_trained) continue;
        for (std::size_t i = 0; i < p.size(); i += p.size() / 3 + 1) {
          const Tensor value = model->flat[static_cast<std::int64_t>(p.offset + i)];
          const double start = value.item<double>();
          const double step = 1e-6;
          value.fill_(start + step);
          const double above = total(model->forward(tensors->graphs).outputs).item<double>();
          value.fill_(start - step);
          const double below = total(model->forward(tensors->graphs).outputs).item<double>();
          value.fill_(start);
          const double expected = (above - below) / (2 * step);
          EXPECT_NEAR(gradient[static_cast<std::int64_t>(p.offset + i)].item<double>(), expected,
                      1e-6 * std::max(1.0, std::abs(expected)))
              << c.name << ", " << p.name << "[" << i << "]";
        }
      }
    }
}

TEST(Models, GiveTheSameByOurLoopsAndByStockOperations) {
  for (const bool with_attributes : {false, true})
    for (const Case& c : cases()) {
      const Sample sample(testing::learning_graphs(2, 7, with_attributes), c.options);
      GraphModel fused = make_model(c, sample);
      GraphModel stock = make_model(c, sample);
      const auto fused_batch = sample.tensors(c.options, false, torch::kDouble);
      const auto stock_batch = sample.tensors(c.options, true, torch::kDouble);
      const nn::Readout a = fused->forward(fused_batch->graphs);
      const nn::Readout b = stock->forward(stock_batch->graphs);
      EXPECT_LT((a.outputs - b.outputs).abs().max().item<double>(), 1e-11) << c.name;
      EXPECT_LT((a.vectors - b.vectors).abs().max().item<double>(), 1e-11) << c.name;
      EXPECT_EQ(a.outputs.sizes(), torch::IntArrayRef({7, c.options.outputs})) << c.name;
      total(a.outputs).backward();
      total(b.outputs).backward();
      EXPECT_LT((fused->flat_gradient - stock->flat_gradient).abs().max().item<double>(),
                1e-10 * std::max(1.0, fused->flat_gradient.abs().max().item<double>()))
          << c.name;
      EXPECT_LT((fused->flat - stock->flat).abs().max().item<double>(), 1e-12) << c.name;
    }
}

TEST(Models, DoNotSeeHowNodesAreNumberedNorWhichGraphsAreBeside) {
  for (const bool with_attributes : {false, true})
    for (const Case& c : cases()) {
      std::vector<Graph> graphs = testing::learning_graphs(3, 6, with_attributes);
      std::vector<Graph> shuffled;
      Random random(4);
      for (const Graph& g : graphs) shuffled.push_back(testing::shuffled(g, random));
      const Sample a(graphs, c.options);
      const Sample b(shuffled, c.options);
      GraphModel model = make_model(c, a);
      model->eval();
      const Tensor x = model->forward(a.tensors(c.options, false, torch::kDouble)->graphs).outputs;
      const Tensor y = model->forward(b.tensors(c.options, false, torch::kDouble)->graphs).outputs;
      EXPECT_LT((x - y).abs().max().item<double>(), 1e-11) << c.name;
      Batch one;
      one.graphs = {3};
      TorchBatchOptions form;
      form.dtype = torch::kDouble;
      form.loops_only = c.options.loops_only;
      const Tensor alone = model->forward(make_torch_batch(a.data, one, {}, form)->graphs).outputs;
      EXPECT_LT((x[3] - alone[0]).abs().max().item<double>(), 1e-11) << c.name;
    }
}

TEST(Models, GiveTheSameBitsForAnyNumberOfThreads) {
  for (const Case& c : cases()) {
    Random random(6);
    std::vector<Graph> graphs = testing::learning_graphs(5, 4, false);
    for (int i = 0; i < 60; ++i) graphs.push_back(testing::random_graph(random, 30, 0.15, 3));
    const Sample sample(graphs, c.options);
    const auto tensors = sample.tensors(c.options, false, torch::kFloat);
    Tensor outputs, gradient;
    for (const int threads : {1, 2, 4}) {
      GraphModel model = make_model(c, sample, torch::kFloat);
      model->threads = threads;
      const Tensor found = model->forward(tensors->graphs).outputs;
      total(found).backward();
      if (threads == 1) {
        outputs = found.detach();
        gradient = model->flat_gradient;
        continue;
      }
      EXPECT_TRUE(torch::equal(outputs, found)) << c.name << ", threads " << threads;
      EXPECT_TRUE(torch::equal(gradient, model->flat_gradient)) << c.name << ", threads " << threads;
    }
  }
}

// ---- layers by hand, on the path 0 - 1 - 2 whose nodes hold 1, 2, 4

Graph path_with_values(bool with_loop_at_0 = false) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1);
  builder.add_edge(1, 2);
  if (with_loop_at_0) builder.add_edge(0, 0);
  builder.set_node_attributes(1, {1, 2, 4});
  return std::move(builder).build();
}

// One linear convolution of width 1 whose rows are summed into the answer.
double sum_of_rows(const Graph& g, ModelKind kind, const std::vector<double>& weight) {
  Case c;
  c.options = model::plain_options(kind);
  c.options.layers = 1;
  c.options.head = model::Head::kNone;
  c.options.task = model::TaskKind::kRegression;
  c.options.pooling = Pooling::kSum;
  c.options.indicators = false;
  const Sample sample({g}, c.options);
  GraphModel model(c.options, 1, torch::kDouble);
  const torch::NoGradGuard guard;
  model->parameter("conv.0.weight").copy_(torch::tensor(weight, torch::kDouble).view({1, -1}));
  return model->forward(sample.tensors(c.options, false, torch::kDouble)->graphs).outputs.item<double>();
}

TEST(Models, GcnByHand) {
  // With self-loops the degrees are 2, 3, 2; entries 1/2, 1/3, 1/2 and 1/sqrt(6) on the edges.
  const double s = 1 / std::sqrt(6.0);
  EXPECT_NEAR(sum_of_rows(path_with_values(), ModelKind::kGcn, {3}),
              3 * (1 * (0.5 + s) + 2 * (1.0 / 3 + 2 * s) + 4 * (0.5 + s)), 1e-12);
}

TEST(Models, SageByHand) {
  // Own twice, the neighbors' mean thrice: 2 + 6, 4 + 7.5, 8 + 6.
  EXPECT_NEAR(sum_of_rows(path_with_values(), ModelKind::kSage, {2, 3}), 33.5, 1e-12);
}

TEST(Models, TwoGnnByHand) {
  // Loops keep 1, 2, 4 (their neighbors are edges, which hold 0); edges get 10 times their ends: 30 and 60.
  EXPECT_NEAR(sum_of_rows(path_with_values(), ModelKind::k2Gnn, {1, 10}), 97, 1e-12);
}

double gin_by_hand(const Graph& g, bool self_loops, double eps) {
  ModelOptions o = model::plain_options(ModelKind::kGin);
  o.layers = 1;
  o.width = 1;
  o.batch_norm = false;
  o.train_eps = true;
  o.task = model::TaskKind::kRegression;
  o.self_loops = self_loops;
  const Sample sample({g}, o);
  GraphModel model(o, 1, torch::kDouble);
  const torch::NoGradGuard guard;
  for (const char* name : {"conv.0.0", "conv.0.1", "conv.1.0", "conv.1.1"})
    model->parameter(std::string(name) + ".weight").fill_(1);
  model->parameter("readout.0.weight").fill_(1);
  model->parameter("readout.1.weight").fill_(100);
  model->parameter("conv.1.eps").fill_(eps);
  return model->forward(sample.tensors(o, false, torch::kDouble)->graphs).outputs.item<double>();
}

TEST(Models, GinByHand) {
  // Layer 0 keeps 1, 2, 4 (7 together); layer 1 adds the neighbors: 3, 7, 6 (16 together).
  EXPECT_NEAR(gin_by_hand(path_with_values(), true, 0), 7 + 1600, 1e-12);
  EXPECT_NEAR(gin_by_hand(path_with_values(), true, 0.5), 7 + 1950, 1e-12);
  EXPECT_NEAR(gin_by_hand(path_with_values(true), true, 0), 7 + 1700, 1e-12);
  EXPECT_NEAR(gin_by_hand(path_with_values(true), false, 0), 7 + 1600, 1e-12);
}

TEST(Models, CountEqualRowsAsIfTheyWereThereSoOften) {
  ModelOptions o = model::plain_options(ModelKind::kGin);
  o.width = 4;
  o.layers = 1;
  const auto plan = [](std::uint64_t rows, const std::vector<std::uint64_t>& offsets) {
    auto made = std::make_shared<compute::NeighborPlan>();
    compute::NeighborBlock block;
    block.num_rows = rows;
    block.offsets = offsets.data();
    made->blocks = made->reverse = {block};
    made->num_rows = made->num_sources = rows;
    return made;
  };
  const std::vector<std::uint64_t> no_neighbors(6, 0);
  const Tensor a = torch::tensor({0.5, -1.0}, torch::kDouble);
  const Tensor b = torch::tensor({2.0, 0.3}, torch::kDouble);
  nn::GraphBatch many;
  many.features = torch::stack({a, a, a, b, b});
  many.neighborhood.plan = plan(5, no_neighbors);
  many.groups.segments = std::make_shared<compute::Segments>(compute::contiguous_segments({0, 3, 5}));
  nn::GraphBatch few;
  few.features = torch::stack({a, b});
  few.neighborhood.plan = plan(2, no_neighbors);
  compute::Segments segments;
  segments.num_rows = 2;
  segments.begin = {0, 1};
  segments.end = {1, 2};
  segments.rows = {0, 1};
  segments.counts = {3, 2};
  few.groups.segments = std::make_shared<compute::Segments>(segments);
  few.counts = torch::tensor({3.0, 2.0}, torch::kDouble);
  GraphModel one(o, 2, torch::kDouble);
  GraphModel other(o, 2, torch::kDouble);
  const Tensor x = one->forward(many).outputs;
  const Tensor y = other->forward(few).outputs;
  EXPECT_LT((x - y).abs().max().item<double>(), 1e-12);
  total(x).backward();
  total(y).backward();
  EXPECT_LT((one->flat_gradient - other->flat_gradient).abs().max().item<double>(), 1e-10);
  EXPECT_LT((one->flat - other->flat).abs().max().item<double>(), 1e-12);
}

}  // namespace
}  // namespace twofold::train
