#include "twofold/train/engine.h"
#include "twofold/model/network_json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "tests/support/data_folder.h"
#include "tests/support/learning_sample.h"
#include "twofold/base/error.h"
#include "twofold/compute/net.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/engine_choice.h"
#include "twofold/train/net_shape.h"
#include "twofold/train/trainer.h"

namespace twofold::train {
namespace {

using model::ModelOptions;

// Every pooling, head and attention of the 2-WL-GNN.
std::vector<ModelOptions> all_forms() {
  std::vector<ModelOptions> forms;
  for (const model::Pooling pooling : {model::Pooling::kMean, model::Pooling::kWeightedMean,
                                       model::Pooling::kSum, model::Pooling::kMax, model::Pooling::kMin})
    for (const model::Head head : {model::Head::kMlp, model::Head::kNone})
      for (const model::Attention attention : {model::Attention::kStack, model::Attention::kScalar}) {
        if (attention == model::Attention::kScalar && pooling != model::Pooling::kWeightedMean) continue;
        // Chances that are added up are clipped, and their logit is that of the number type.
        if (head == model::Head::kNone && pooling == model::Pooling::kSum) continue;
        ModelOptions options = model::plain_options(model::ModelKind::k2WlGnn);
        options.pooling = pooling;
        options.head = head;
        options.attention = attention;
        options.width = 5;
        options.layers = 1 + static_cast<int>(forms.size()) % 3;
        options.jumping_knowledge = forms.size() % 2 == 0;
        options.loops_only = forms.size() % 4 == 1;
        options.inner_activation =
            forms.size() % 3 == 0 ? compute::Activation::kRelu : compute::Activation::kLogistic;
        forms.push_back(options);
      }
  return forms;
}

struct Sample {
  explicit Sample(const ModelOptions& options, bool attributes, std::size_t count = 12)
      : Sample(options, testing::learning_graphs(5, count, attributes), attributes) {}
  Sample(const ModelOptions& options, std::vector<Graph> given, bool attributes = false)
      : graphs(std::move(given)),
        model(options),
        data(graphs, model, input_layout(graphs, model)),
        layout(model::parameter_layout(model, data.columns())) {
    Random random(7);
    for (std::size_t g = 0; g < graphs.size(); ++g)
      data.targets.push_back(static_cast<double>(random.below(2)));
    task.kind = model.task;
    for (const double value : model::initial_parameters(layout, 3))
      parameters.push_back(static_cast<float>(value));
    std::vector<std::uint32_t> all;
    for (std::uint32_t g = 0; g < graphs.size(); ++g) all.push_back(g);
    if (attributes) task.features = attribute_scaling(graphs, all);
  }

  std::vector<Graph> graphs;
  ModelOptions model;
  EncodedDataset data;
  model::ParameterLayout layout;
  Objective task;
  std::vector<float> parameters;
};

// Our own loops that are for a sample.
std::vector<model::EngineKind> net_kinds(const Sample& sample) {
  std::vector<model::EngineKind> kinds = {model::EngineKind::kFused, model::EngineKind::kColors};
  if (why_not_mixed(sample.data, sample.model).empty()) kinds.push_back(model::EngineKind::kMixed);
  return kinds;
}

TEST(Engines, GiveTheSameLossAndGradient) {
  int form = 0;
  for (const ModelOptions& options : all_forms())
    for (const bool attributes : {false, true}) {
      ++form;
      Sample sample(options, attributes);
      Batch batch;
      batch.graphs = {3, 0, 7, 1, 11, 2};
      std::vector<float> first, outputs(batch.graphs.size()), first_outputs;
      double first_loss = 0;
      for (const model::EngineKind kind : net_kinds(sample)) {
        model::EngineOptions how;
        how.kind = kind;
        const auto engine = make_engine(sample.data, sample.model, sample.task, how);
        EXPECT_EQ(engine->kind(), kind);
        std::vector<float> gradient(sample.layout.size, 9);
        const double loss = engine->loss_and_gradient(batch, sample.parameters, gradient, outputs);
        std::vector<float> again(outputs.size());
        engine->outputs(batch, sample.parameters, again);
        EXPECT_EQ(again, outputs) << to_string(kind) << " form " << form;
        if (kind == model::EngineKind::kFused) {
          first = gradient;
          first_loss = loss;
          first_outputs = outputs;
          continue;
        }
        EXPECT_NEAR(loss, first_loss, 1e-5) << to_string(kind) << " form " << form;
        for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_NEAR(outputs[i], first_outputs[i], 1e-3);
        float most = 0;
        for (const float g : first) most = std::max(most, std::fabs(g));
        for (std::size_t i = 0; i < first.size(); ++i)
          EXPECT_NEAR(gradient[i], first[i], 1e-4 * (static_cast<double>(most) + 1e-2))
              << to_string(kind) << " form " << form << " parameter " << i;
      }
    }
}

// The same network in double, on rows and on the colors of a batch: its loss and gradient, and its losses while
// it descends along the gradient.
void expect_exact_on_colors(Sample& sample, const std::vector<std::uint32_t>& graphs, int epochs) {
  NetTargets targets;
  targets.fill(sample.task, sample.data.targets, graphs);
  const std::vector<double> weights(targets.weights.begin(), targets.weights.end());
  const compute::Targets<double> as_double{targets.classes.data(), nullptr, weights.data()};
  std::vector<double> parameters = model::initial_parameters(sample.layout, 3);
  compute::Net<double> net(net_shape(sample.model, sample.data.columns(), sample.layout, sample.task));
  const auto row_batches = make_row_batches<double>(sample.data, sample.model, net.shape(), {});
  const auto color_batches = make_color_batches<double>(sample.data, sample.model, net.shape(), {});
  Batch batch;
  batch.graphs = graphs;
  const compute::NetBatch<double>& rows = row_batches->make(batch);
  const compute::NetBatch<double>& on_colors = color_batches->make(batch);

  std::vector<double> a(sample.layout.size), b(sample.layout.size);
  const double loss = net.loss_and_gradient(rows, as_double, parameters.data(), a.data());
  EXPECT_NEAR(net.loss_and_gradient(on_colors, as_double, parameters.data(), b.data()), loss, 1e-12);
  double most = 0;
  for (const double g : a) most = std::max(most, std::fabs(g));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(b[i], a[i], 1e-10 * most);

  std::vector<double> others = parameters;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const double on_rows = net.loss_and_gradient(rows, as_double, parameters.data(), a.data());
    EXPECT_NEAR(net.loss_and_gradient(on_colors, as_double, others.data(), b.data()), on_rows, 1e-6 * on_rows);
    for (std::size_t i = 0; i < a.size(); ++i) {
      parameters[i] -= 0.05 * a[i];
      others[i] -= 0.05 * b[i];
    }
  }
}

TEST(Engines, OnColorsAreExact) {
  for (const ModelOptions& options : all_forms()) {
    Sample sample(options, false);
    expect_exact_on_colors(sample, {5, 4, 9, 0, 6, 6, 10}, 3);
  }
}

TEST(Engines, OnColorsAreExactOnRealData) {
  const std::string folder = testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << testing::kNeedsData;
  for (const auto& [name, some] : testing::real_samples(folder)) {
    std::vector<std::uint32_t> all(some.size());
    std::iota(all.begin(), all.end(), 0u);
    for (const ModelOptions& options : all_forms()) {
      SCOPED_TRACE(fmt::format("{} {}", name, model::describe(options)));
      Sample sample(options, some);
      expect_exact_on_colors(sample, all, 30);
    }
  }
}

// The gradient of all graphs, and their outputs.
std::vector<float> gradient_of(const Sample& sample, model::EngineKind kind, int threads) {
  Batch batch;
  for (std::uint32_t g = 0; g < sample.graphs.size(); ++g) batch.graphs.push_back(g);
  model::EngineOptions how;
  how.kind = kind;
  how.threads = threads;
  std::vector<float> parameters = sample.parameters, gradient(sample.layout.size), outputs(batch.graphs.size());
  make_engine(sample.data, sample.model, sample.task, how)
      ->loss_and_gradient(batch, parameters, gradient, outputs);
  gradient.insert(gradient.end(), outputs.begin(), outputs.end());
  return gradient;
}

TEST(Engines, GiveTheSameBitsForAnyNumberOfThreads) {
  const Sample sample(model::plain_options(model::ModelKind::k2WlGnn), false, 60);
  for (const model::EngineKind kind : net_kinds(sample)) {
    const std::vector<float> first = gradient_of(sample, kind, 1);
    for (const int threads : {2, 4})
      EXPECT_EQ(gradient_of(sample, kind, threads), first) << to_string(kind) << ", " << threads << " threads";
  }
}

// Logistic units at -84 give 3e-37 and have slopes below the smallest float that is normal, on which CPUs are
// slow.
TEST(Engines, HaveNoDenormalGradients) {
  ModelOptions options = model::plain_options(model::ModelKind::k2WlGnn);
  options.activation = compute::Activation::kLogistic;
  Sample sample(options, false, 60);
  const model::Parameter& bias = sample.layout.at("conv.0.bias");
  std::fill_n(sample.parameters.begin() + static_cast<std::ptrdiff_t>(bias.offset), bias.size(), -84.0f);
  for (const model::EngineKind kind : net_kinds(sample))
    for (const int threads : {1, 2}) {
      const std::vector<float> gradient = gradient_of(sample, kind, threads);
      const auto is_denormal = [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; };
      EXPECT_EQ(std::count_if(gradient.begin(), gradient.end(), is_denormal), 0)
          << to_string(kind) << ", " << threads << " threads";
    }
}

// Cycles of equal nodes are all one color; random dense graphs have as many colors as rows.
TEST(Engines, AreChosenByWhatIsCheaper) {
  ModelOptions options = model::plain_options(model::ModelKind::k2WlGnn);
  std::vector<Graph> same, different, few_labels;
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    same.push_back(testing::cycle(12));
    different.push_back(testing::random_graph(random, 24, 0.4, 20));
    few_labels.push_back(testing::random_graph(random, 24, 0.15, 1));
  }
  const auto chosen = [&](const std::vector<Graph>& graphs) {
    return choose_engine(EncodedDataset(graphs, options, input_layout(graphs, options)), options, 32);
  };
  EXPECT_EQ(chosen(same).kind, model::EngineKind::kColors);
  EXPECT_EQ(chosen(different).kind, model::EngineKind::kFused);
  // After one round few colors, after two nearly as many as rows.
  options.radius = pairs::Radius(2);
  EXPECT_EQ(chosen(few_labels).kind, model::EngineKind::kMixed);
  EXPECT_EQ(chosen(few_labels).front_layers, 1u);
  options.norm = model::Norm::kBatch;
  EXPECT_EQ(chosen(few_labels).kind, model::EngineKind::kFused);
  options.norm = model::Norm::kNone;
  // Every layer of rows is read out.
  options.readout = model::Readout::kAll;
  EXPECT_EQ(chosen(few_labels).kind, model::EngineKind::kFused);
  for (const model::ModelKind kind :
       {model::ModelKind::kGin, model::ModelKind::kGcn, model::ModelKind::kSage, model::ModelKind::k2Gnn}) {
    options = model::plain_options(kind);
    EXPECT_EQ(chosen(same).kind, model::EngineKind::kColors);
    // gin's colors are a little faster even where no two rows share one (engine_choice.cpp).
    EXPECT_EQ(chosen(different).kind,
              kind == model::ModelKind::kGin ? model::EngineKind::kColors : model::EngineKind::kFused);
  }
  options = model::plain_options(model::ModelKind::kMlp);
  EXPECT_EQ(chosen(different).kind, model::EngineKind::kColors);
}

TEST(Engines, MixedSaysWhatItIsNotFor) {
  const auto refusal = [](const std::function<void(ModelOptions&)>& change, bool attributes = false,
                          std::size_t shards = 0) {
    ModelOptions options = model::plain_options(model::ModelKind::k2WlGnn);
    change(options);
    const Sample sample(options, attributes);
    model::EngineOptions how;
    how.kind = model::EngineKind::kMixed;
    Sharding sharding;
    sharding.shards = shards;
    try {
      make_engine(sample.data, sample.model, sample.task, how, sharding);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal([](ModelOptions&) {}), "none");
  EXPECT_EQ(refusal([](ModelOptions& o) { o.layers = 1; }),
            "needed --engine fused or auto with one layer, found mixed");
  EXPECT_EQ(refusal([](ModelOptions& o) { o.residual = true; }),
            "needed --engine fused or auto with --residual, found mixed");
  EXPECT_EQ(refusal([](ModelOptions& o) { o.readout = model::Readout::kAll; }),
            "needed --engine fused or auto with --readout all, found mixed");
  EXPECT_EQ(refusal([](ModelOptions& o) { o.model = model::ModelKind::kGin; }),
            "needed --engine fused or auto for a model other than 2-wl-gnn, found mixed");
  EXPECT_EQ(refusal([](ModelOptions&) {}, true),
            "needed --engine fused or auto for graphs with attributes, found mixed");
  EXPECT_EQ(refusal([](ModelOptions&) {}, false, 4),
            "needed --engine auto, fused or colors with shards of batches, found mixed");
}

}  // namespace
}  // namespace twofold::train
