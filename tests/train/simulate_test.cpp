// Theorem 4.5: what adds up neighbors, a 2-wl-gnn of radius 1 simulates.
#include "twofold/train/simulate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "tests/support/data_folder.h"
#include "tests/support/double_net.h"
#include "tests/support/learning_sample.h"
#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"
#include "twofold/train/engine.h"
#include "twofold/train/simulated_network.h"
#include "twofold/train/trainer.h"

namespace twofold::train {
namespace {

using compute::Activation;
using model::ModelKind;
using model::ModelOptions;
using testing::DoubleNet;

struct Case {
  std::string name;
  ModelOptions options;
};

// Each model with 1 to 3 layers, and each option away from its default at least once.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, ModelKind kind, int layers,
                       const std::function<void(ModelOptions&)>& change = {}) {
    ModelOptions o = model::plain_options(kind);
    o.width = 6;
    o.layers = layers;
    if (change) change(o);
    all.push_back({name, o});
  };
  for (int layers = 1; layers <= 3; ++layers) {
    add("gcn relu", ModelKind::kGcn, layers);
    add("gcn logistic, sum", ModelKind::kGcn, layers, [](ModelOptions& o) {
      o.activation = Activation::kLogistic;
      o.pooling = model::Pooling::kSum;
    });
    add("gin", ModelKind::kGin, layers);
    add("gin eps, mean", ModelKind::kGin, layers, [](ModelOptions& o) {
      o.train_eps = true;
      o.pooling = model::Pooling::kMean;
    });
    add("sage", ModelKind::kSage, layers);
  }
  add("gcn tanh, scalar attention", ModelKind::kGcn, 2, [](ModelOptions& o) {
    o.activation = Activation::kTanh;
    o.attention = model::Attention::kScalar;
    o.jumping_knowledge = false;
  });
  add("gcn logistic, no head, attention", ModelKind::kGcn, 2, [](ModelOptions& o) {
    o.activation = Activation::kLogistic;
    o.head = model::Head::kNone;
  });
  add("gcn no head, classes, no bias", ModelKind::kGcn, 2, [](ModelOptions& o) {
    o.head = model::Head::kNone;
    o.pooling = model::Pooling::kMax;
    o.task = model::TaskKind::kMultiClass;
    o.outputs = 3;
    o.bias = false;
  });
  add("gin without batch norm, min, no self-loops", ModelKind::kGin, 2, [](ModelOptions& o) {
    o.batch_norm = false;
    o.pooling = model::Pooling::kMin;
    o.self_loops = false;
    o.task = model::TaskKind::kMultiClass;
    o.outputs = 4;
  });
  add("gin without attributes", ModelKind::kGin, 1, [](ModelOptions& o) { o.node_attributes = false; });
  add("sage logistic, no head", ModelKind::kSage, 2, [](ModelOptions& o) {
    o.activation = Activation::kLogistic;
    o.head = model::Head::kNone;
    o.task = model::TaskKind::kRegression;
    o.pooling = model::Pooling::kSum;
    o.self_loops = false;
  });
  return all;
}

// Starting values, with biases and running statistics away from theirs.
std::vector<double> random_parameters(const model::ParameterLayout& layout, std::uint64_t seed) {
  std::vector<double> values = model::initial_parameters(layout, seed);
  Random random(seed + 1000);
  for (const model::Parameter& p : layout.parameters)
    if (!p.is_matrix())
      for (std::size_t i = 0; i < p.size(); ++i)
        values[p.offset + i] = p.is_trained || p.fill == 0 ? p.fill + random.uniform() - 0.4
                                                           : p.fill * (0.2 + 2 * random.uniform());
  return values;
}

struct Runner {
  Runner(const std::vector<Graph>& graphs, const ModelOptions& options, const InputLayout& layout)
      : data(graphs, options, layout) {
    batch.graphs.resize(graphs.size());
    std::iota(batch.graphs.begin(), batch.graphs.end(), 0u);
  }
  EncodedDataset data;
  Batch batch;

  std::vector<double> in_double(const ModelOptions& options, const std::vector<double>& parameters) const {
    return DoubleNet(data, options, testing::objective_of(options)).evaluate(batch, parameters).outputs;
  }
  std::vector<double> in_float(const ModelOptions& options, const std::vector<double>& parameters) const {
    model::EngineOptions how;
    how.kind = model::EngineKind::kFused;
    const auto engine = make_engine(data, options, testing::objective_of(options), how);
    std::vector<float> outputs(batch.graphs.size() * static_cast<std::size_t>(options.outputs));
    engine->outputs(batch, std::vector<float>(parameters.begin(), parameters.end()), outputs);
    return {outputs.begin(), outputs.end()};
  }
  // Of all graphs one after the other, the rows of the last layer.
  std::vector<double> rows(const ModelOptions& options, const std::vector<double>& parameters) const {
    DoubleNet net(data, options, testing::objective_of(options));
    std::vector<double> all;
    for (const std::uint32_t g : batch.graphs) {
      Batch one;
      one.graphs = {g};
      for (const double value : net.evaluate(one, parameters).rows) all.push_back(value);
    }
    return all;
  }
};

// The largest difference, relative to the larger of the value and the mean size of all.
double relative_error(const std::vector<double>& expected, const std::vector<double>& found) {
  EXPECT_EQ(expected.size(), found.size());
  double mean = 0, largest = 0;
  for (const double value : expected) mean += std::abs(value) / static_cast<double>(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = std::abs(expected[i] - found[i]) / std::max(std::abs(expected[i]), mean);
    if (!(error <= largest)) largest = error;  // nor does one that is no number get lost
  }
  return largest;
}

struct Errors {
  double in_double, in_float;
};

Errors simulate_on(const std::vector<Graph>& graphs, const ModelOptions& options, std::uint64_t seed) {
  const InputLayout layout = input_layout(graphs, options);
  const auto parameters = random_parameters(model::parameter_layout(options, layout.columns()), seed);
  const Simulation simulation = simulate(options, layout.columns(), layout.features.columns() == 0, parameters);
  InputLayout pair_layout = layout;
  pair_layout.features.indicators = true;
  pair_layout.weights = simulation.weights;
  EXPECT_EQ(pair_layout.columns(), simulation.columns);
  const Runner nodes(graphs, options, layout);
  const Runner pairs(graphs, simulation.options, pair_layout);
  const std::vector<double> expected = nodes.in_double(options, parameters);
  return {relative_error(expected, pairs.in_double(simulation.options, simulation.parameters)),
          relative_error(expected, pairs.in_float(simulation.options, simulation.parameters))};
}

TEST(Theorem45, SimulationAgreesOnAThousandRandomGraphsInDoubleAndFloat) {
  std::vector<Graph> graphs = testing::learning_graphs(3, 1000, false);
  graphs.push_back(Graph());
  std::uint64_t seed = 1;
  Errors largest{0, 0};
  for (const Case& c : cases()) {
    const Errors errors = simulate_on(graphs, c.options, seed++);
    largest.in_double = std::max(largest.in_double, errors.in_double);
    largest.in_float = std::max(largest.in_float, errors.in_float);
    EXPECT_LE(errors.in_double, 1e-9) << c.name << ", " << c.options.layers << " layers";
    EXPECT_LE(errors.in_float, 1e-4) << c.name << ", " << c.options.layers << " layers";
  }
  // For docs/theory.md: --gtest_output=json shows them.
  RecordProperty("largest_in_double", fmt::format("{:.1e}", largest.in_double));
  RecordProperty("largest_in_float", fmt::format("{:.1e}", largest.in_float));
}

TEST(Theorem45, SimulationAgreesOnGraphsWithAttributesAndOnThoseWithoutAnything) {
  std::vector<Graph> plain;
  for (const Graph& g : testing::learning_graphs(4, 40, false)) {
    GraphBuilder builder(g.num_nodes());
    for (const Edge e : g.edges()) builder.add_edge(e.u, e.v);
    plain.push_back(std::move(builder).build());
  }
  for (const Case& c : cases()) {
    EXPECT_LE(simulate_on(testing::learning_graphs(5, 40, true), c.options, 3).in_double, 1e-9) << c.name;
    EXPECT_LE(simulate_on(plain, c.options, 4).in_double, 1e-9) << c.name << " without labels";
    ModelOptions degrees = c.options;
    degrees.degree_features = true;
    EXPECT_LE(simulate_on(plain, degrees, 5).in_double, 1e-9) << c.name << " on degrees";
  }
}

// The proof's P1 to P3, read off before the last layer, which drops what is no longer needed.
TEST(Theorem45, RowsKeepIndicatorFeaturesAndWeight) {
  const std::vector<Graph> graphs = testing::learning_graphs(6, 20, false);
  ModelOptions options = model::plain_options(ModelKind::kGcn);
  options.width = 4;
  options.layers = 2;
  options.activation = Activation::kLogistic;
  options.jumping_knowledge = false;
  options.pooling = model::Pooling::kSum;
  const InputLayout layout = input_layout(graphs, options);
  const auto parameters = random_parameters(model::parameter_layout(options, layout.columns()), 2);
  const Simulation all = simulate(options, layout.columns(), false, parameters);
  // The layers of the first convolution, and the one that clears the rows of edges.
  const std::size_t kept = 4;
  ModelOptions cut = all.options;
  cut.layer_forms.resize(kept);
  cut.layers = static_cast<int>(kept);
  cut.width = cut.layer_forms.back().channels();
  const model::ParameterLayout from = model::parameter_layout(all.options, all.columns);
  const model::ParameterLayout to = model::parameter_layout(cut, all.columns);
  std::vector<double> values(to.size, 0);
  for (const model::Parameter& p : to.parameters)
    if (p.name.rfind("conv.", 0) == 0)
      std::copy_n(all.parameters.begin() + static_cast<std::ptrdiff_t>(from.at(p.name).offset), p.size(),
                  values.begin() + static_cast<std::ptrdiff_t>(p.offset));
  InputLayout pair_layout = layout;
  pair_layout.features.indicators = true;
  pair_layout.weights = all.weights;
  const Runner pairs(graphs, cut, pair_layout);
  const std::vector<double> rows = pairs.rows(cut, values);

  ModelOptions one = options;
  one.layers = 1;
  const model::ParameterLayout of_one = model::parameter_layout(one, layout.columns());
  const model::ParameterLayout of_two = model::parameter_layout(options, layout.columns());
  std::vector<double> first(of_one.size, 0);
  for (const char* name : {"conv.0.weight", "conv.0.bias"})
    std::copy_n(parameters.begin() + static_cast<std::ptrdiff_t>(of_two.at(name).offset),
                of_one.at(name).size(), first.begin() + static_cast<std::ptrdiff_t>(of_one.at(name).offset));
  const std::vector<double> nodes = Runner(graphs, one, layout).rows(one, first);

  constexpr std::size_t kWidth = 4, kColumns = 2 + kWidth;
  ASSERT_EQ(static_cast<std::size_t>(cut.width), kColumns);
  ASSERT_EQ(rows.size(), pairs.data.num_rows() * kColumns);
  std::size_t row = 0, node = 0;
  for (std::uint32_t g = 0; g < graphs.size(); ++g) {
    const auto slice = pairs.data.pair_sets(std::vector<std::uint32_t>{g});
    for (std::size_t f = 0; f < slice.sets[0]->num_rows(); ++f, ++row) {
      const Node u = slice.sets[0]->first[f], v = slice.sets[0]->second[f];
      const double* const values_of_row = rows.data() + row * kColumns;
      EXPECT_EQ(values_of_row[0], u == v ? 1 : 0);
      const double weight =
          1 / std::sqrt(static_cast<double>((graphs[g].degree(u) + 1) * (graphs[g].degree(v) + 1)));
      EXPECT_NEAR(values_of_row[1], weight, 1e-15);
      const std::vector<double> features(values_of_row + 2, values_of_row + kColumns);
      if (u == v) {
        const double* const expected = nodes.data() + kWidth * node++;
        EXPECT_LE(relative_error({expected, expected + kWidth}, features), 1e-12);
      } else {
        EXPECT_EQ(features, std::vector<double>(kWidth, 0));
      }
    }
  }
  EXPECT_EQ(node * kWidth, nodes.size());
}

// S(t,1), S(t,2) and K layers of the MLP for each convolution; gin's first MLP comes without a sum; a layer
// more after an activation that is not 0 at 0, but for the last.
TEST(Theorem45, TakesTwoLayersMoreThanEachMlpHas) {
  const auto layers = [](ModelKind kind, int count, Activation activation) {
    ModelOptions o = model::plain_options(kind);
    o.layers = count;
    if (kind != ModelKind::kGin) o.activation = activation;
    const std::vector<double> parameters = model::initial_parameters(model::parameter_layout(o, 5), 1);
    return simulate(o, 5, false, parameters).options.layers;
  };
  for (int count = 1; count <= 4; ++count) {
    EXPECT_EQ(layers(ModelKind::kGcn, count, Activation::kRelu), (2 + 1) * count);
    EXPECT_EQ(layers(ModelKind::kGcn, count, Activation::kLogistic), (2 + 2) * count - 1);
    EXPECT_EQ(layers(ModelKind::kGin, count, Activation::kRelu), (2 + 2) * count + 2);
    EXPECT_EQ(layers(ModelKind::kSage, count, Activation::kTanh), (3 + 1) * count);
  }
}

TEST(Theorem45, RefusesModelsThatDoNotAddUpNeighbors) {
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kMlp}) {
    const ModelOptions o = model::plain_options(kind);
    const auto parameters = model::initial_parameters(model::parameter_layout(o, 5), 1);
    EXPECT_FALSE(can_simulate(kind));
    EXPECT_THROW(simulate(o, 5, false, parameters), UsageError);
  }
}

// A network as training leaves it, with outputs by the engine that predict takes.
struct Trained {
  Network network;
  std::vector<float> outputs;

  Trained(const std::vector<Graph>& graphs, const std::vector<double>& targets, const ModelOptions& options,
          int epochs) {
    network.settings.model = options;
    network.layout = input_layout(graphs, options);
    network.class_names = {"no", "yes"};
    EncodedDataset data(graphs, options, network.layout);
    data.targets = targets;
    const auto engine = make_engine(data, options, network.task);
    const auto layout = model::parameter_layout(options, data.columns());
    TrainState state = initial_state(layout, 3);
    model::TrainOptions how;
    how.epochs = epochs;
    how.learning_rate = 0.01;
    std::vector<std::uint32_t> all(graphs.size());
    std::iota(all.begin(), all.end(), 0u);
    train(*engine, data, all, {}, layout, network.task, how, state);
    network.parameters = state.parameters;
    outputs = outputs_of(network, graphs);
  }

  static std::vector<float> outputs_of(const Network& network, const std::vector<Graph>& graphs) {
    const EncodedDataset data(graphs, network.settings.model, network.layout);
    const auto engine = make_engine(data, network.settings.model, network.task);
    std::vector<std::uint32_t> all(graphs.size());
    std::iota(all.begin(), all.end(), 0u);
    return all_outputs(*engine, data, all, network.task.outputs, model::BatchLimits{}, network.parameters);
  }
};

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0, size = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - b[i]));
    size = std::max(size, std::abs(static_cast<double>(a[i])));
  }
  return largest / size;
}

TEST(SimulatedNetwork, IsAModelFileThatPredictsTheSame) {
  const std::vector<Graph> graphs = testing::learning_graphs(8, 60, false);
  std::vector<double> targets;
  targets.reserve(graphs.size());
  for (const Graph& g : graphs) targets.push_back(g.num_edges() > 8 ? 1 : 0);
  for (const ModelKind kind : {ModelKind::kGcn, ModelKind::kGin, ModelKind::kSage}) {
    ModelOptions options = model::plain_options(kind);
    options.width = 8;
    const Trained trained(graphs, targets, options, 20);
    const std::string bytes = encode_network(simulated_network(trained.network));
    const Network read = decode_network(bytes, "m");
    EXPECT_EQ(encode_network(read), bytes);
    EXPECT_EQ(read.settings.model.model, ModelKind::k2WlGnn);
    EXPECT_LE(largest_difference(trained.outputs, Trained::outputs_of(read, graphs)), 2e-5)
        << model::to_string(kind);
  }
}

TEST(SimulatedNetwork, PredictsTheSameOnMutag) {
  const std::string folder = testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << testing::kNeedsData;
  const Dataset mutag = io::read_dataset(folder + "/MUTAG");
  const std::vector<double> targets(mutag.class_of.begin(), mutag.class_of.end());
  for (const ModelKind kind : {ModelKind::kGcn, ModelKind::kGin}) {
    ModelOptions options = model::plain_options(kind);
    options.width = 16;
    const Trained trained(mutag.graphs, targets, options, 10);
    const std::vector<float> found = Trained::outputs_of(simulated_network(trained.network), mutag.graphs);
    EXPECT_LE(largest_difference(trained.outputs, found), 2e-5) << model::to_string(kind);
  }
}

}  // namespace
}  // namespace twofold::train
