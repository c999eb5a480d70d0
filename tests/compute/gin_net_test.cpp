#include "twofold/compute/gin_net.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/gin_oracle.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::compute {
namespace {

constexpr std::size_t kColumns = 3;

// Networks of every kind, drawn at random.
GinNetShape random_shape(Random& random) {
  GinNetShape shape;
  shape.width = 1 + random.below(12);
  shape.pooling = static_cast<Pooling>(random.below(4));
  shape.loss = static_cast<Loss>(random.below(4));
  shape.num_outputs = shape.loss == Loss::kBinary ? 1 : 1 + random.below(3);
  const bool norm = random.chance(0.6), eps = random.chance(0.5);
  std::size_t at = 0;
  const auto take = [&](std::size_t count) { return (at += count) - count; };
  const std::size_t layers = 1 + random.below(4);
  for (std::size_t t = 0; t < layers; ++t) {
    GinNetShape::Layer layer;
    for (GinNetShape::Map& map : layer.maps) {
      map.weight = take((t == 0 && &map == layer.maps ? kColumns : shape.width) * shape.width);
      map.bias = take(shape.width);
      if (!norm || (t == 0 && random.chance(0.2))) continue;
      map.scale = take(shape.width);
      map.shift = take(shape.width);
      map.mean = take(shape.width);
      map.variance = take(shape.width);
    }
    if (t > 0 && eps) layer.eps = take(1);
    layer.readout_weight = take(shape.width * shape.num_outputs);
    layer.readout_bias = take(shape.num_outputs);
    shape.layers.push_back(layer);
  }
  shape.num_parameters = at;
  return shape;
}

std::vector<double> random_parameters(const GinNetShape& shape, Random& random) {
  std::vector<double> parameters(shape.num_parameters);
  for (double& p : parameters) p = 0.5 * random.normal();
  for (const GinNetShape::Layer& layer : shape.layers)
    for (const GinNetShape::Map& map : layer.maps)
      for (std::size_t c = 0; map.has_norm() && c < shape.width; ++c)
        parameters[map.variance + c] = 0.2 + random.uniform();
  return parameters;
}

// Graphs with dense features, each of which stands for `copies` equal ones in its batch.
template <typename T>
struct Sample {
  Sample(Random& random, std::size_t count, std::uint64_t most_copies, const GinNetShape& shape) {
    for (std::size_t i = 0; i < count; ++i) {
      testing::GinGraph g;
      g.graph = testing::random_graph(random, random.below(8), 0.4);
      for (std::size_t k = 0; k < g.graph.num_nodes() * kColumns; ++k)
        g.features.push_back(k % kColumns == 0 && random.chance(0.3) ? 0 : random.normal());
      g.cls = static_cast<std::uint32_t>(random.below(shape.loss == Loss::kBinary ? 2 : shape.num_outputs));
      for (std::size_t o = 0; o < shape.num_outputs; ++o) g.target.push_back(random.normal());
      g.weight = 0.5 + random.uniform();
      const std::uint64_t copies = 1 + random.below(most_copies);
      for (std::uint64_t copy = 0; copy < copies; ++copy) {
        graphs.push_back(g);
        graph_of.push_back(i);
      }
      add_rows(g, static_cast<T>(copies));
    }
    for (const testing::GinGraph& g : graphs) {
      classes.push_back(g.cls);
      weights.push_back(static_cast<T>(g.weight));
      for (const double value : g.target) values.push_back(static_cast<T>(value));
    }
    targets = {classes.data(), values.data(), weights.data()};
    for (const std::size_t g : graph_of)
      segments.push_back({nullptr, nullptr, first_rows[g], first_rows[g + 1] - first_rows[g]});
    const std::size_t rows = counts.size();
    batch.num_graphs = graphs.size();
    for (std::size_t t = 0; t < shape.layers.size(); ++t) {
      typename GinNetBatch<T>::Level level;
      if (t == 0)
        level.rows = {rows, feature_offsets.data(), feature_columns.data(), features.data()};
      else
        level.rows = {rows, offsets.data(), sources.data(), ones.data()};
      level.own = own.data();
      level.counts = counts.data();
      level.segments = segments.data();
      batch.levels.push_back(level);
    }
  }

  void add_rows(const testing::GinGraph& g, T copies) {
    const auto first = static_cast<std::uint32_t>(counts.size());
    for (Node v = 0; v < g.graph.num_nodes(); ++v) {
      counts.push_back(copies);
      own.push_back(first + v);
      for (std::uint32_t c = 0; c < kColumns; ++c) {
        if (g.features[v * kColumns + c] == 0) continue;
        feature_columns.push_back(c);
        features.push_back(static_cast<T>(g.features[v * kColumns + c]));
      }
      feature_offsets.push_back(static_cast<std::uint32_t>(features.size()));
      sources.push_back(first + v);
      for (const Node u : g.graph.neighbors(v)) sources.push_back(first + u);
      ones.resize(sources.size(), T{1});
      offsets.push_back(static_cast<std::uint32_t>(sources.size()));
    }
    first_rows.push_back(counts.size());
  }

  std::vector<testing::GinGraph> graphs;
  std::vector<std::size_t> graph_of, first_rows = {0};
  std::vector<std::uint32_t> feature_offsets = {0}, feature_columns, offsets = {0}, sources, own, classes;
  std::vector<T> features, ones, counts, weights, values;
  std::vector<PoolSegment> segments;
  GinNetBatch<T> batch;
  Targets<T> targets;
};

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted, double part,
                 const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  double most = 0;
  for (const double value : wanted) most = std::max(most, std::fabs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], part * (1 + most)) << what << ", value " << i;
}

std::vector<double> joined(const std::vector<std::vector<double>>& rows) {
  std::vector<double> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

TEST(GinNet, IsTheNestedLoopsNetworkOfAllCopies) {
  Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const GinNetShape shape = random_shape(random);
    const Sample<double> sample(random, 1 + random.below(5), 3, shape);
    std::vector<double> parameters = random_parameters(shape, random);
    GinNet<double> net(shape);
    const std::size_t graphs = sample.graphs.size();
    std::vector<double> outputs(graphs * shape.num_outputs), vectors(graphs * net.vector_width());
    const std::string name = "trial " + std::to_string(trial);
    const auto evaluated = testing::plain_gin(shape, parameters, sample.graphs, kColumns, false);
    net.outputs(sample.batch, parameters.data(), {outputs.data(), vectors.data()});
    expect_near(outputs, joined(evaluated.outputs), 1e-11, name + " evaluated");
    expect_near(vectors, joined(evaluated.vectors), 1e-11, name + " vectors");

    const auto trained = testing::plain_gin(shape, parameters, sample.graphs, kColumns, true);
    std::vector<double> gradient(shape.num_parameters);
    const double loss = net.loss_and_gradient(sample.batch, sample.targets, parameters.data(), gradient.data(),
                                              {outputs.data(), vectors.data()});
    expect_near(outputs, joined(trained.outputs), 1e-9, name + " trained");
    expect_near(vectors, joined(trained.vectors), 1e-9, name + " trained vectors");
    expect_near(parameters, trained.parameters, 1e-11, name + " running statistics");
    EXPECT_NEAR(loss, trained.loss, 1e-9 * (1 + trained.loss)) << name;
  }
}

// Relu, max and min have corners: where steps of two lengths tell different slopes, neither is asked.
TEST(GinNet, GradientIsThatOfFiniteDifferences) {
  Random random(12);
  int compared = 0, skipped = 0;
  for (int trial = 0; trial < 150; ++trial) {
    GinNetShape shape = random_shape(random);
    shape.norm_epsilon = 1e-2;
    shape.dropout = trial % 5 == 0 ? 0.3 : 0;
    Sample<double> sample(random, 1 + random.below(4), 3, shape);
    sample.batch.seed = 7;
    const std::vector<double> start = random_parameters(shape, random);
    GinNet<double> net(shape);
    std::vector<double> gradient(shape.num_parameters), unused(shape.num_parameters);
    std::vector<double> parameters = start;
    net.loss_and_gradient(sample.batch, sample.targets, parameters.data(), gradient.data());
    const auto slope = [&](std::size_t i, double h) {
      double losses[2];
      for (const int side : {0, 1}) {
        parameters = start;
        parameters[i] += side == 0 ? -h : h;
        losses[side] = net.loss_and_gradient(sample.batch, sample.targets, parameters.data(), unused.data());
      }
      return (losses[1] - losses[0]) / (2 * h);
    };
    for (std::size_t i = 0; i < start.size(); i += 1 + random.below(9)) {
      const double wide = slope(i, 1e-5), narrow = slope(i, 2e-6);
      if (std::fabs(wide - narrow) > 1e-6 * (1 + std::fabs(wide))) {
        ++skipped;
        continue;
      }
      EXPECT_NEAR(gradient[i], wide, 1e-5 * (1 + std::fabs(wide))) << "trial " << trial << " parameter " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 2000);
  EXPECT_LT(skipped, compared / 5);
}

TEST(GinNet, InFloatIsNearDouble) {
  Random random(15);
  for (int trial = 0; trial < 40; ++trial) {
    const GinNetShape shape = random_shape(random);
    Random same = random.stream(static_cast<std::uint64_t>(trial)), again = same;
    const Sample<double> wide_sample(same, 5, 2, shape);
    const Sample<float> narrow_sample(again, 5, 2, shape);
    const std::vector<double> parameters = random_parameters(shape, random);
    const std::vector<float> rounded(parameters.begin(), parameters.end());
    std::vector<double> wide(wide_sample.graphs.size() * shape.num_outputs);
    std::vector<float> narrow(wide.size());
    GinNet<double>(shape).outputs(wide_sample.batch, parameters.data(), {wide.data(), nullptr});
    GinNet<float>(shape).outputs(narrow_sample.batch, rounded.data(), {narrow.data(), nullptr});
    expect_near(std::vector<double>(narrow.begin(), narrow.end()), wide, 1e-4,
                "trial " + std::to_string(trial));
  }
}

TEST(GinNet, LeavesOutputsOutAndMakesUpForIt) {
  Random random(18);
  GinNetShape shape = random_shape(random);
  while (shape.layers.size() != 1 || shape.num_outputs != 1 || shape.layers[0].maps[1].has_norm())
    shape = random_shape(random);
  const Sample<double> plain(random, 200, 1, shape);
  const std::vector<double> parameters = random_parameters(shape, random);
  std::vector<double> all(200), some(200), gradient(shape.num_parameters), moved = parameters;
  GinNet<double>(shape).loss_and_gradient(plain.batch, plain.targets, moved.data(), gradient.data(),
                                          {all.data(), nullptr});
  shape.dropout = 0.25;
  moved = parameters;
  GinNet<double>(shape).loss_and_gradient(plain.batch, plain.targets, moved.data(), gradient.data(),
                                          {some.data(), nullptr});
  int left_out = 0;
  for (std::size_t g = 0; g < 200; ++g) {
    if (some[g] == 0) {
      ++left_out;
      continue;
    }
    EXPECT_NEAR(some[g], all[g] / 0.75, 1e-12 * (1 + std::fabs(all[g])));
  }
  EXPECT_GT(left_out, 25);
  EXPECT_LT(left_out, 75);
}

TEST(GinNet, NamesTheLayerWhoseValuesAreNoNumbers) {
  Random random(16);
  for (int trial = 0; trial < 60; ++trial) {
    const GinNetShape shape = random_shape(random);
    const Sample<double> sample(random, 8, 1, shape);
    std::vector<double> parameters = random_parameters(shape, random), gradient(shape.num_parameters);
    const std::size_t layer = random.below(shape.layers.size());
    const GinNetShape::Map& map = shape.layers[layer].maps[random.below(2)];
    for (std::size_t c = 0; c < shape.width; ++c)
      parameters[map.weight + c] = parameters[map.bias + c] = std::nan("");
    const std::string wanted = (layer == 0 ? "the first MLP" : "convolution " + std::to_string(layer)) +
                               std::string(": a value is infinite or no number");
    GinNet<double> net(shape);
    try {
      if (trial % 2 == 0)
        net.outputs(sample.batch, parameters.data(), {});
      else
        net.loss_and_gradient(sample.batch, sample.targets, parameters.data(), gradient.data());
      FAIL() << "went on, trial " << trial;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), wanted);
    }
  }
}

TEST(GinNet, OfNoGraphsHasNoLossAndNoGradient) {
  Random random(17);
  const GinNetShape shape = random_shape(random);
  const Sample<double> sample(random, 0, 1, shape);
  std::vector<double> parameters(shape.num_parameters, 1), gradient(shape.num_parameters, 7);
  EXPECT_EQ(
      GinNet<double>(shape).loss_and_gradient(sample.batch, sample.targets, parameters.data(), gradient.data()),
      0);
  EXPECT_EQ(gradient, std::vector<double>(shape.num_parameters, 0));
  EXPECT_EQ(parameters, std::vector<double>(shape.num_parameters, 1));
}

}  // namespace
}  // namespace twofold::compute
