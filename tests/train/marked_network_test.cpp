// Networks with marks: bounded by the exact test with one mark, and as strong on known pairs.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/model/network_json.h"
#include "twofold/model/network_twins.h"
#include "twofold/train/engine.h"
#include "twofold/train/explanation.h"
#include "twofold/train/model_file.h"
#include "twofold/train/pair_separation.h"
#include "twofold/train/trainer.h"
#include "twofold/wl/random_net.h"

namespace twofold::train {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file
using model::ModelKind;

model::ModelOptions marked_options(ModelKind kind) {
  model::ModelOptions options = model::plain_options(kind);
  options.radius = pairs::Radius(1);
  options.marks = 1;
  options.width = 6;
  options.layers = 3;
  if (kind == ModelKind::kGin) options.batch_norm = false;
  return options;
}

Network marked_network(const std::vector<Graph>& graphs, const model::ModelOptions& options) {
  Network network;
  network.settings.model = options;
  network.layout = input_layout(graphs, options);
  const auto layout = model::parameter_layout(options, network.layout.columns());
  const auto start = model::initial_parameters(layout, 3);
  network.parameters.assign(start.begin(), start.end());
  network.class_names = {"a", "b"};
  return network;
}

std::vector<float> outputs_of(const Network& network, const std::vector<Graph>& graphs,
                              model::EngineKind kind) {
  const EncodedDataset data(graphs, network.settings.model, network.layout);
  model::EngineOptions how;
  how.kind = kind;
  const auto engine = make_engine(data, network.settings.model, network.task, how);
  std::vector<std::uint32_t> order(graphs.size());
  std::iota(order.begin(), order.end(), 0u);
  return all_outputs(*engine, data, order, 1, {}, network.parameters);
}

wl::WlTest marked_twin(ModelKind kind) {
  wl::WlTest test = wl::parse_test(kind == ModelKind::kGin ? "1-wl" : "2-wl");
  test.marks = 1;
  return test;
}

TEST(MarkedNetwork, SeesTheSameOfRelabeledGraphsAndTheSameOnRowsAndColors) {
  Random random(4);
  std::vector<Graph> graphs;
  for (int i = 0; i < 6; ++i) {
    graphs.push_back(random_graph(random, 4 + random.below(5), 0.4, 3));
    graphs.push_back(shuffled(graphs.back(), random));
  }
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::k2WlGnn}) {
    const Network network = marked_network(graphs, marked_options(kind));
    const std::vector<float> rows = outputs_of(network, graphs, model::EngineKind::kFused);
    const std::vector<float> colors = outputs_of(network, graphs, model::EngineKind::kColors);
    for (std::size_t g = 0; g < graphs.size(); g += 2)
      EXPECT_NEAR(rows[g], rows[g + 1], 1e-4 * std::max(1.f, std::abs(rows[g])));
    for (std::size_t g = 0; g < graphs.size(); ++g)
      EXPECT_NEAR(rows[g], colors[g], 1e-4 * std::max(1.f, std::abs(rows[g])));
  }
}

// The law: random weights, sums without rounding (wl/random_net.h).
TEST(MarkedNetwork, NeverTellsApartWhatTheMarkedExactTestDoesNot) {
  Random random(5);
  std::vector<Graph> graphs = {cycle(6),
                               two_triangles(),
                               decalin(),
                               bicyclopentyl(),
                               rook_4x4(),
                               shrikhande(),
                               cfi(complete(4), false),
                               cfi(complete(4), true)};
  for (int i = 0; i < 60; ++i) {
    const bool is_regular = i % 3 != 0;
    const std::size_t n = 6 + 2 * random.below(3);
    for (int side = 0; side < 2; ++side)
      graphs.push_back(is_regular ? random_regular(random, n, 3) : random_decorated(random, 5, 0.4));
    if (i % 5 == 0) graphs.back() = shuffled(graphs[graphs.size() - 2], random);
  }
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::k2WlGnn}) {
    wl::WlTest test = marked_twin(kind);
    if (kind == ModelKind::kGin) test.edge_labels = false;
    const std::vector<bool> exact = wl::distinguish_pairs(graphs, test);
    const std::vector<bool> found = wl::distinguish_pairs_by_nets(graphs, test);
    std::size_t both = 0;
    for (std::size_t p = 0; p < exact.size(); ++p) {
      EXPECT_TRUE(exact[p] || !found[p]) << p;
      both += exact[p] && found[p];
    }
    EXPECT_FALSE(exact[3]);  // CFI over K4
    EXPECT_GT(both, 30u);
    // Hexagon, decalin and (by pairs) the rook's graph: beyond what the same network sees without marks.
    EXPECT_TRUE(found[0]);
    EXPECT_TRUE(found[1]);
    EXPECT_EQ(found[2], exact[2]);
  }
}

std::vector<float> outputs_by(const Network& network, const std::vector<Graph>& graphs, model::EngineKind kind,
                              bool by_orbit) {
  EncodeLimits limits;
  limits.marks_by_orbit = by_orbit;
  const EncodedDataset data(graphs, network.settings.model, network.layout, limits);
  model::EngineOptions how;
  how.kind = kind;
  const auto engine = make_engine(data, network.settings.model, network.task, how);
  std::vector<std::uint32_t> order(graphs.size());
  std::iota(order.begin(), order.end(), 0u);
  return all_outputs(*engine, data, order, 1, {}, network.parameters);
}

TEST(MarkedNetwork, IsTheSameByOneMarkOfEachOrbit) {
  Random random(9);
  std::vector<Graph> plain = {petersen(),     rook_4x4(), shrikhande(),   cycle(7),
                              empty_graph(3), path(5),    two_triangles()};
  std::vector<Graph> labeled;
  for (int i = 0; i < 8; ++i) labeled.push_back(random_graph(random, 4 + random.below(4), 0.4, 2));
  for (const std::vector<Graph>& graphs : {plain, labeled})
    for (const ModelKind kind : {ModelKind::kGin, ModelKind::k2WlGnn})
      for (const auto pooling : {model::Pooling::kMean, model::Pooling::kSum, model::Pooling::kMax}) {
        model::ModelOptions options = marked_options(kind);
        options.pooling = pooling;
        const Network network = marked_network(graphs, options);
        const std::vector<float> all = outputs_by(network, graphs, model::EngineKind::kFused, false);
        for (const auto engine : {model::EngineKind::kFused, model::EngineKind::kColors}) {
          const std::vector<float> some = outputs_by(network, graphs, engine, true);
          for (std::size_t g = 0; g < graphs.size(); ++g)
            EXPECT_NEAR(all[g], some[g], 1e-4 * std::max(1.f, std::abs(all[g]))) << g;
        }
      }
  EncodeLimits limits;
  limits.marks_by_orbit = true;
  const Network network = marked_network(plain, marked_options(ModelKind::k2WlGnn));
  const EncodedDataset data(plain, network.settings.model, network.layout, limits);
  EXPECT_EQ(data.graphs()[0].num_nodes(), 10u);  // Petersen's graph: one orbit
  EXPECT_EQ(data.node_times(0)[0], 10u);
  EXPECT_EQ(data.graphs()[5].num_nodes(), 15u);  // a path: ends, their neighbors, the middle
}

TEST(MarkedNetwork, LearnsPairsThatItIsBlindToWithoutMarks) {
  const std::vector<Graph> graphs = {decalin(),  bicyclopentyl(),
                                     rook_4x4(), shrikhande(),
                                     petersen(), shuffled(petersen(), *std::make_unique<Random>(1))};
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::k2WlGnn}) {
    SeparationOptions options = separation_options(kind);
    options.model.radius = pairs::Radius(1);
    options.model.marks = 1;
    const std::vector<bool> exact = wl::distinguish_pairs(graphs, marked_twin(kind));
    const std::vector<Separation> found = separate_pairs(graphs, options);
    for (std::size_t p = 0; p < found.size(); ++p) {
      EXPECT_EQ(found[p].is_distinguished, exact[p]) << p;
      EXPECT_EQ(found[p].num_false, 0) << p;
      EXPECT_EQ(found[p].num_controls > 0, exact[p]) << p;
    }
    EXPECT_TRUE(exact[0]);
    EXPECT_FALSE(exact[2]);
  }
}

TEST(MarkedNetwork, IsExplainedByTheRowsOfTheGraphItself) {
  Random random(6);
  const std::vector<Graph> graphs = {random_graph(random, 7, 0.4, 2)};
  model::ModelOptions options = marked_options(ModelKind::k2WlGnn);
  const Network network = marked_network(graphs, options);
  const EncodedDataset data(graphs, options, network.layout);
  for (const ExplainBy by : {ExplainBy::kGradient, ExplainBy::kAttention, ExplainBy::kRemoval}) {
    const Explanation explanation = explain(network, data, 0, by);
    ASSERT_EQ(explanation.rows.size(), 7 + graphs[0].num_edges());
    double total = 0;
    for (std::size_t f = 0; f < explanation.rows.size(); ++f) {
      const RowContribution& row = explanation.rows[f];
      EXPECT_EQ(row.u == row.v, f < 7);
      EXPECT_TRUE(row.u == row.v || graphs[0].has_edge(row.u, row.v));
      total += row.contribution;
    }
    if (by == ExplainBy::kAttention) {
      EXPECT_NEAR(total, 1, 1e-9);
    }
  }
}

TEST(MarkedNetwork, ComesBackFromItsFile) {
  Random random(7);
  const std::vector<Graph> graphs = {random_graph(random, 6, 0.5, 3), random_graph(random, 6, 0.5, 3)};
  const Network network = marked_network(graphs, marked_options(ModelKind::kGin));
  const Network again = decode_network(encode_network(network), "file");
  EXPECT_TRUE(again.layout.is_marked);
  EXPECT_EQ(again.layout.own_labels, network.layout.own_labels);
  EXPECT_EQ(outputs_of(again, graphs, model::EngineKind::kFused),
            outputs_of(network, graphs, model::EngineKind::kFused));
  // Labels of the data are asked for, not those of the copies.
  const std::vector<Graph> other = {cycle(4)};
  EXPECT_THROW(require_fitting(other, again.layout, ModelKind::kGin, "x"), InputError);
}

TEST(MarkedNetwork, RefusesWhatHasNoMarks) {
  model::ModelOptions options = marked_options(ModelKind::k2WlGnn);
  options.radius = pairs::Radius::all();
  EXPECT_THROW(model::check_options(options), UsageError);
  options = marked_options(ModelKind::kGin);
  options.degree_features = true;
  EXPECT_THROW(model::check_options(options), UsageError);
  options = marked_options(ModelKind::kGin);
  options.model = ModelKind::kGcn;
  options.marks = 1;
  EXPECT_THROW(model::check_options(options), UsageError);
}

TEST(MarkedNetwork, IsBoundByTheMarkedTestInTheCeiling) {
  const std::vector<Graph> graphs = {cycle(6), two_triangles(), empty_graph(0)};
  const std::vector<model::Config> grid = {{{"marks", 1}}}, plain = {{{"marks", 0}}};
  const auto classes = [&](const std::vector<model::Config>& configs, std::size_t count) {
    return model::network_twins("gin", configs, {graphs.data(), count}, {}).class_of;
  };
  EXPECT_EQ(classes(plain, 2), (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(classes(grid, 2), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(classes(grid, 3), (std::vector<std::uint32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace twofold::train
