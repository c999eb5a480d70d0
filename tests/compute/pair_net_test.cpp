#include "twofold/compute/pair_net.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/named_graphs.h"
#include "tests/support/pair_net_oracle.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::compute {
namespace {

using pairs::Radius;

std::size_t add_stack(PairStackShape& stack, std::size_t at, bool bias) {
  std::size_t in = stack.in;
  for (auto& layer : stack.layers) {
    layer.weight = at;
    at += in * 3 * layer.width;
    if (bias) {
      layer.bias = at;
      layer.inner_bias = at + layer.width;
      at += 2 * layer.width;
    }
    in = layer.width + (stack.jumping_knowledge ? stack.in : 0);
  }
  return at;
}

// Networks of every kind, drawn at random.
PairNetShape random_shape(Random& random, std::size_t in) {
  const auto any_activation = [&] { return static_cast<Activation>(random.below(4)); };
  PairNetShape shape;
  shape.stack.in = in;
  shape.stack.jumping_knowledge = random.chance(0.5);
  const bool bias = random.chance(0.7);
  const std::size_t width = 1 + random.below(12);
  const std::size_t layers = 1 + random.below(3);
  shape.hidden = random.chance(0.6) ? 1 + random.below(9) : 0;
  shape.loss = static_cast<Loss>(random.below(4));
  shape.num_outputs = shape.loss == Loss::kBinary ? 1 : 1 + random.below(3);
  const Activation outer = any_activation(), inner = any_activation();
  for (std::size_t k = 0; k < layers; ++k) {
    PairStackShape::Layer layer;
    layer.width = k + 1 == layers && shape.hidden == 0 ? shape.num_outputs : width;
    layer.activation = outer;
    layer.inner_activation = inner;
    shape.stack.layers.push_back(layer);
  }
  shape.pooling = static_cast<Pooling>(random.below(5));
  shape.loops_only = random.chance(0.3);
  shape.pools_chances = shape.hidden == 0 && shape.pooling != Pooling::kSum && random.chance(0.5);
  if (shape.pools_chances) shape.stack.layers.back().activation = Activation::kLogistic;
  std::size_t at = add_stack(shape.stack, 0, bias);
  const std::size_t last = shape.stack.layers.back().width;
  if (shape.pooling == Pooling::kWeightedMean) {
    if (random.chance(0.5)) {
      shape.attention = shape.stack;
      at = add_stack(shape.attention, at, bias);
    } else {
      shape.score_weight = at;
      at += last;
    }
  }
  shape.hidden_activation = any_activation();
  shape.hidden_weight = at;
  shape.hidden_bias = shape.hidden_weight + last * shape.hidden;
  shape.output_weight = shape.hidden_bias + shape.hidden;
  shape.output_bias = shape.output_weight + shape.hidden * shape.num_outputs;
  shape.num_parameters = shape.hidden == 0 ? at : shape.output_bias + shape.num_outputs;
  return shape;
}

// Graphs with labels, attributes on nodes and on edges, and the same as dense features.
struct Sample {
  static constexpr std::size_t kLabels = 4;
  static constexpr std::size_t kTableColumns = 3, kNodeColumns = 2, kEdgeColumns = 1;
  static constexpr std::size_t kColumns = kTableColumns + kNodeColumns + kEdgeColumns;

  Sample(Random& random, std::size_t count, Radius radius, bool attributes) {
    // A row of the table has a value in its own column and one in the last.
    for (std::uint32_t label = 0; label < kLabels; ++label) {
      offsets.push_back(static_cast<std::uint32_t>(columns.size()));
      columns.push_back(label % kTableColumns);
      values.push_back(1 + 0.25 * label);
      if (label % kTableColumns == kTableColumns - 1) continue;
      columns.push_back(kTableColumns - 1);
      values.push_back(-0.5);
    }
    offsets.push_back(static_cast<std::uint32_t>(columns.size()));
    sets.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      testing::PlainGraph g;
      g.graph = testing::random_graph(random, random.below(7), 0.4);
      sets.push_back(pairs::encode_pairs(g.graph, radius));
      const pairs::PairSet& set = sets.back();
      g.features.assign(set.num_rows() * kColumns, 0);
      std::vector<std::uint32_t>& of_row = labels.emplace_back();
      std::vector<std::uint32_t>& edges = edge_rows.emplace_back();
      std::vector<double>& on_nodes = node_values.emplace_back();
      std::vector<double>& on_edges = edge_values.emplace_back();
      for (std::size_t f = 0; f < set.num_rows(); ++f) {
        of_row.push_back(static_cast<std::uint32_t>(random.below(kLabels)));
        double* row = g.features.data() + f * kColumns;
        for (std::size_t at = offsets[of_row[f]]; at < offsets[of_row[f] + 1]; ++at)
          row[columns[at]] = values[at];
        if (!attributes) continue;
        if (set.kind[f] == pairs::RowKind::kLoop)
          for (std::size_t c = 0; c < kNodeColumns; ++c)
            on_nodes.push_back(row[kTableColumns + c] = random.normal());
        if (set.kind[f] == pairs::RowKind::kEdge) {
          edges.push_back(static_cast<std::uint32_t>(f));
          on_edges.push_back(row[kTableColumns + kNodeColumns] = random.normal());
        }
      }
      g.weight = 0.5 + random.uniform();
      for (std::size_t o = 0; o < 3; ++o) g.target.push_back(random.normal());
      graphs.push_back(g);
    }
    has_attributes = attributes;
  }

  void set_classes(Random& random, const PairNetShape& shape) {
    for (auto& g : graphs)
      g.cls = static_cast<std::uint32_t>(random.below(shape.loss == Loss::kBinary ? 2 : shape.num_outputs));
  }

  template <typename T>
  struct As {
    std::vector<T> table_values;
    std::vector<std::vector<T>> node_values, edge_values;
    PairNetBatch<T> batch;
    std::vector<std::uint32_t> classes;
    std::vector<T> target_values, weights;
    Targets<T> targets;
  };
  template <typename T>
  std::unique_ptr<As<T>> as(const PairNetShape& shape) const {
    auto r = std::make_unique<As<T>>();
    r->table_values.assign(values.begin(), values.end());
    r->batch.table = {kLabels, offsets.data(), columns.data(), r->table_values.data()};
    if (has_attributes) {
      r->batch.node_attribute_column = kTableColumns;
      r->batch.node_attributes = kNodeColumns;
      r->batch.edge_attribute_column = kTableColumns + kNodeColumns;
      r->batch.edge_attributes = kEdgeColumns;
    }
    r->node_values.reserve(graphs.size());
    r->edge_values.reserve(graphs.size());
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      r->node_values.emplace_back(node_values[g].begin(), node_values[g].end());
      r->edge_values.emplace_back(edge_values[g].begin(), edge_values[g].end());
      r->batch.graphs.push_back({&sets[g], labels[g].data(), r->node_values[g].data(), edge_rows[g].data(),
                                 edge_rows[g].size(), r->edge_values[g].data()});
      r->classes.push_back(graphs[g].cls);
      r->weights.push_back(static_cast<T>(graphs[g].weight));
      for (std::size_t o = 0; o < shape.num_outputs; ++o)
        r->target_values.push_back(static_cast<T>(graphs[g].target[o]));
    }
    r->targets = {r->classes.data(), r->target_values.data(), r->weights.data()};
    return r;
  }

  std::vector<std::uint32_t> offsets, columns;
  std::vector<double> values;
  std::vector<testing::PlainGraph> graphs;
  std::vector<pairs::PairSet> sets;
  std::vector<std::vector<std::uint32_t>> labels, edge_rows;
  std::vector<std::vector<double>> node_values, edge_values;
  bool has_attributes = false;
};

std::vector<double> random_parameters(const PairNetShape& shape, Random& random) {
  std::vector<double> parameters(shape.num_parameters);
  for (double& p : parameters) p = 0.2 * random.normal();
  return parameters;
}

Radius some_radius(Random& random) {
  return random.chance(0.2) ? Radius::all() : Radius(static_cast<int>(1 + random.below(3)));
}

TEST(PairNet, IsTheNestedLoopsNetwork) {
  Random random(11);
  for (int trial = 0; trial < 150; ++trial) {
    const Radius radius = some_radius(random);
    Sample sample(random, 1 + random.below(6), radius, random.chance(0.5));
    const PairNetShape shape = random_shape(random, Sample::kColumns);
    sample.set_classes(random, shape);
    const std::vector<double> parameters = random_parameters(shape, random);
    const auto as = sample.as<double>(shape);
    PairNet<double> net(shape);
    std::vector<double> outputs(sample.graphs.size() * shape.num_outputs), gradient(shape.num_parameters);
    const double loss = net.loss_and_gradient(as->batch, as->targets, parameters.data(), gradient.data(),
                                              {outputs.data(), nullptr});
    std::size_t at = 0;
    for (const auto& graph : sample.graphs)
      for (const double wanted : testing::plain_net(shape, parameters, graph, radius))
        EXPECT_NEAR(outputs[at++], wanted, 1e-10 * (1 + std::fabs(wanted))) << "trial " << trial;
    const double wanted = testing::plain_net_loss(shape, parameters, sample.graphs, radius);
    EXPECT_NEAR(loss, wanted, 1e-9 * (1 + std::fabs(wanted))) << "trial " << trial;
  }
}

// Smooth networks: relu and the extremes have corners, where differences say nothing.
TEST(PairNet, GradientIsThatOfFiniteDifferences) {
  Random random(12);
  int compared = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const Radius radius = some_radius(random);
    Sample sample(random, 1 + random.below(4), radius, random.chance(0.5));
    PairNetShape shape = random_shape(random, Sample::kColumns);
    if (shape.loss == Loss::kAbsolute) shape.loss = Loss::kSquared;
    if (shape.pooling == Pooling::kMax || shape.pooling == Pooling::kMin) shape.pooling = Pooling::kMean;
    for (PairStackShape* stack : {&shape.stack, &shape.attention})
      for (auto& layer : stack->layers) {
        if (layer.activation == Activation::kRelu) layer.activation = Activation::kTanh;
        if (layer.inner_activation == Activation::kRelu) layer.inner_activation = Activation::kLogistic;
      }
    if (shape.hidden_activation == Activation::kRelu) shape.hidden_activation = Activation::kTanh;
    sample.set_classes(random, shape);
    std::vector<double> parameters = random_parameters(shape, random);
    const auto as = sample.as<double>(shape);
    PairNet<double> net(shape);
    std::vector<double> gradient(shape.num_parameters), unused(shape.num_parameters);
    net.loss_and_gradient(as->batch, as->targets, parameters.data(), gradient.data());
    for (std::size_t i = 0; i < parameters.size(); i += 1 + random.below(7)) {
      const double kept = parameters[i], h = 1e-5;
      const auto loss_at = [&](double value) {
        parameters[i] = value;
        const double loss = net.loss_and_gradient(as->batch, as->targets, parameters.data(), unused.data());
        parameters[i] = kept;
        return loss;
      };
      const double slope = (loss_at(kept + h) - loss_at(kept - h)) / (2 * h);
      EXPECT_NEAR(gradient[i], slope, 1e-5 * (1 + std::fabs(slope))) << "trial " << trial << " parameter " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 2000);
}

// A sum of many terms in another order: ties of max and min, and relu, included.
TEST(PairNet, OnLevelsIsTheSameAsOnRows) {
  Random random(13);
  for (int trial = 0; trial < 100; ++trial) {
    const Radius radius = some_radius(random);
    Sample sample(random, 1, radius, false);
    const PairNetShape shape = random_shape(random, Sample::kColumns);
    sample.set_classes(random, shape);
    const std::vector<double> parameters = random_parameters(shape, random);
    const auto as = sample.as<double>(shape);
    PairNet<double> net(shape);
    std::vector<double> on_rows(shape.num_parameters), on_levels(shape.num_parameters);
    const double loss = net.loss_and_gradient(as->batch, as->targets, parameters.data(), on_rows.data());

    const pairs::Level level = pairs::plain_level(sample.sets[0]);
    PairNetBatch<double> batch;
    batch.table = as->batch.table;
    batch.levels.assign(shape.stack.layers.size(), &level);
    batch.level_labels.assign(shape.stack.layers.size(), sample.labels[0].data());
    batch.segments = {
        {nullptr, nullptr, 0, shape.loops_only ? sample.sets[0].num_nodes() : sample.sets[0].num_rows()}};
    EXPECT_NEAR(net.loss_and_gradient(batch, as->targets, parameters.data(), on_levels.data()), loss,
                1e-12 * (1 + std::fabs(loss)));
    for (std::size_t i = 0; i < on_rows.size(); ++i)
      EXPECT_NEAR(on_levels[i], on_rows[i], 1e-9 * (1 + std::fabs(on_rows[i]))) << "trial " << trial;
  }
}

TEST(PairNet, GivesTheSameBitsForAnyNumberOfThreads) {
  Random random(14);
  for (int trial = 0; trial < 20; ++trial) {
    const Radius radius = some_radius(random);
    Sample sample(random, 200, radius, random.chance(0.5));
    const PairNetShape shape = random_shape(random, Sample::kColumns);
    sample.set_classes(random, shape);
    const std::vector<double> drawn = random_parameters(shape, random);
    const std::vector<float> parameters(drawn.begin(), drawn.end());
    const auto as = sample.as<float>(shape);
    std::vector<float> first;
    for (const int threads : {1, 2, 4}) {
      PairNet<float> net(shape);
      std::vector<float> result(shape.num_parameters + sample.graphs.size() * shape.num_outputs);
      net.loss_and_gradient(as->batch, as->targets, parameters.data(), result.data(),
                            {result.data() + shape.num_parameters, nullptr}, threads);
      if (threads == 1) first = result;
      EXPECT_EQ(result, first) << threads << " threads, trial " << trial;
    }
  }
}

TEST(PairNet, InFloatIsNearDouble) {
  Random random(15);
  for (int trial = 0; trial < 40; ++trial) {
    const Radius radius = some_radius(random);
    Sample sample(random, 5, radius, true);
    const PairNetShape shape = random_shape(random, Sample::kColumns);
    sample.set_classes(random, shape);
    const std::vector<double> parameters = random_parameters(shape, random);
    const std::vector<float> rounded(parameters.begin(), parameters.end());
    std::vector<double> wide(sample.graphs.size() * shape.num_outputs);
    std::vector<float> narrow(wide.size());
    const auto as_double = sample.as<double>(shape);
    const auto as_float = sample.as<float>(shape);
    PairNet<double>(shape).outputs(as_double->batch, parameters.data(), {wide.data(), nullptr});
    PairNet<float>(shape).outputs(as_float->batch, rounded.data(), {narrow.data(), nullptr});
    for (std::size_t i = 0; i < wide.size(); ++i)
      EXPECT_NEAR(narrow[i], wide[i], 2e-3 * (1 + std::fabs(wide[i]))) << "trial " << trial;
  }
}

TEST(PairNet, NamesTheLayerWhoseValuesAreNoNumbers) {
  Random random(16);
  Sample sample(random, 3, Radius(1), false);
  sample.graphs.clear();
  PairNetShape shape;
  shape.stack.in = Sample::kColumns;
  for (int k = 0; k < 2; ++k) {
    PairStackShape::Layer layer;
    layer.width = 1;
    layer.activation = layer.inner_activation = Activation::kIdentity;
    shape.stack.layers.push_back(layer);
  }
  shape.num_parameters = add_stack(shape.stack, 0, false);
  std::vector<double> parameters(shape.num_parameters, 0);
  parameters[shape.stack.layers[1].weight] = std::nan("");
  const pairs::PairSet set = pairs::encode_pairs(testing::complete(3), Radius(1));
  const std::vector<std::uint32_t> labels(set.num_rows(), 0);
  PairNetBatch<double> batch;
  batch.table = {Sample::kLabels, sample.offsets.data(), sample.columns.data(), sample.values.data()};
  batch.graphs.push_back({&set, labels.data(), nullptr, nullptr, 0, nullptr});
  double output = 0;
  try {
    PairNet<double>(shape).outputs(batch, parameters.data(), {&output, nullptr});
    FAIL() << "went on with " << output;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "convolution 2: a value is infinite or no number");
  }
}

TEST(PairNet, OfNoGraphsHasNoLossAndNoGradient) {
  Random random(17);
  const PairNetShape shape = random_shape(random, Sample::kColumns);
  Sample sample(random, 0, Radius(1), false);
  const auto as = sample.as<double>(shape);
  std::vector<double> parameters(shape.num_parameters, 1), gradient(shape.num_parameters, 7);
  EXPECT_EQ(
      PairNet<double>(shape).loss_and_gradient(as->batch, as->targets, parameters.data(), gradient.data()), 0);
  EXPECT_EQ(gradient, std::vector<double>(shape.num_parameters, 0));
}

}  // namespace
}  // namespace twofold::compute
