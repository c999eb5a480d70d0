// Networks with marks: bounded by the exact test with one mark, and as strong on known pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "tests/support/double_net.h"
#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "tests/support/network_forms.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/levels/level_cache.h"
#include "twofold/model/network_json.h"
#include "twofold/model/network_twins.h"
#include "twofold/train/engine.h"
#include "twofold/train/explanation.h"
#include "twofold/train/model_file.h"
#include "twofold/train/pair_separation.h"
#include "twofold/train/trained_model.h"
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

enum class Decoration { kNone, kNodeLabels, kEdgeLabels, kAttributes };

// The graph with labels or attributes made of degrees, which no symmetry changes, but for the first node's.
Graph decorated(const Graph& g, Decoration decoration, bool is_first_special) {
  GraphBuilder builder(g.num_nodes());
  std::vector<Label> node_labels, edge_labels;
  std::vector<double> node_values, edge_values;
  for (Node v = 0; v < g.num_nodes(); ++v) {
    const bool is_special = is_first_special && v == 0;
    node_labels.push_back(is_special ? 2 : static_cast<Label>(g.degree(v) % 2));
    node_values.push_back(is_special ? -1.5 : 0.25 * static_cast<double>(g.degree(v)));
  }
  for (const Edge e : g.edges()) {
    builder.add_edge(e.u, e.v);
    const std::size_t sum = g.degree(e.u) + g.degree(e.v);
    edge_labels.push_back(static_cast<Label>(sum / 2 % 2));
    edge_values.push_back(1 / static_cast<double>(sum));
  }
  if (decoration == Decoration::kNodeLabels || decoration == Decoration::kEdgeLabels)
    builder.set_node_labels(node_labels);
  if (decoration == Decoration::kEdgeLabels) builder.set_edge_labels(edge_labels);
  if (decoration == Decoration::kAttributes) {
    builder.set_node_attributes(1, node_values);
    builder.set_edge_attributes(1, edge_values);
  }
  return std::move(builder).build();
}

std::vector<Graph> symmetric_graphs(Decoration decoration) {
  Random random(9);
  std::vector<Graph> graphs = {petersen(),     cycle(7),        star(4),    path(5),
                               empty_graph(3), two_triangles(), complete(5)};
  for (int i = 0; i < 3; ++i) graphs.push_back(random_graph(random, 4 + random.below(4), 0.4));
  for (std::size_t g = 0; g < graphs.size(); ++g) graphs[g] = decorated(graphs[g], decoration, g % 3 == 2);
  return graphs;
}

// All graphs in one batch, in double.
class MarkedSample {
 public:
  MarkedSample(const std::vector<Graph>& graphs, const model::ModelOptions& options, bool by_orbit)
      : model_(options),
        task_(objective_of(options)),
        data_(graphs, options, input_layout(graphs, options), limits(by_orbit)),
        parameters(random_parameters(model::parameter_layout(options, data_.columns()), 7)) {
    batch_.graphs.resize(graphs.size());
    std::iota(batch_.graphs.begin(), batch_.graphs.end(), 0u);
    batch_.seed = 5;
    if (!data_.has_labels_only()) task_.features = attribute_scaling(graphs, batch_.graphs);
  }

  DoubleNet::Step train(bool on_colors) {
    Random random(7);
    const DoubleTargets targets(task_, batch_.graphs.size(), random);
    return DoubleNet(data_, model_, task_, on_colors).train(batch_, targets, parameters);
  }
  DoubleNet::Answer evaluate(bool on_colors) {
    return DoubleNet(data_, model_, task_, on_colors).evaluate(batch_, parameters);
  }
  const EncodedDataset& data() const { return data_; }

 private:
  static EncodeLimits limits(bool by_orbit) {
    EncodeLimits limits;
    limits.marks_by_orbit = by_orbit;
    return limits;
  }

  model::ModelOptions model_;
  Objective task_;
  EncodedDataset data_;
  Batch batch_;

 public:
  std::vector<double> parameters;
};

void expect_same_by_orbit(const std::vector<Graph>& graphs, const model::ModelOptions& options,
                          const std::string& name) {
  MarkedSample all(graphs, options, false);
  const DoubleNet::Step wanted = all.train(false);
  const DoubleNet::Answer answer = all.evaluate(false);
  for (const bool on_colors : {false, true}) {
    const std::string what = name + (on_colors ? " on colors" : " on rows");
    MarkedSample some(graphs, options, true);
    EXPECT_LT(some.data().num_rows(), all.data().num_rows()) << what;
    EXPECT_EQ(some.data().num_rows_of_all_marks(), all.data().num_rows()) << what;
    const DoubleNet::Step found = some.train(on_colors);
    EXPECT_NEAR(found.loss, wanted.loss, 1e-11 * (1 + wanted.loss)) << what;
    EXPECT_LE(apart(found.outputs, wanted.outputs), 1e-11) << what;
    EXPECT_LE(apart(found.gradient, wanted.gradient), 1e-10) << what;
    // Running statistics among them.
    EXPECT_LE(apart(some.parameters, all.parameters), 1e-12) << what;
    const DoubleNet::Answer other = some.evaluate(on_colors);
    EXPECT_LE(apart(other.outputs, answer.outputs), 1e-10) << what;
    EXPECT_LE(apart(other.vectors, answer.vectors), 1e-10) << what;
  }
}

TEST(MarkedNetwork, IsTheSameByOneMarkOfEachOrbit) {
  std::size_t num_forms = 0;
  for (const NetworkForm& form : network_forms()) {
    model::ModelOptions options = form.options;
    if (options.model != ModelKind::kGin && options.model != ModelKind::k2WlGnn) continue;
    if (options.model == ModelKind::k2WlGnn && options.radius.is_all()) continue;
    options.marks = 1;
    for (const Decoration decoration :
         {Decoration::kNone, Decoration::kNodeLabels, Decoration::kEdgeLabels, Decoration::kAttributes})
      expect_same_by_orbit(symmetric_graphs(decoration), options,
                           form.name + " " + std::to_string(static_cast<int>(decoration)));
    options.degree_features = true;
    expect_same_by_orbit(symmetric_graphs(Decoration::kNone), options, form.name + " of degrees");
    ++num_forms;
  }
  EXPECT_GT(num_forms, 20u);
}

TEST(MarkedNetwork, HasACopyForEachOrbitThatLabelsAndAttributesLeave) {
  const auto nodes_of = [](Decoration decoration, bool is_first_special, model::ModelOptions options) {
    const std::vector<Graph> graphs = {decorated(cycle(6), decoration, is_first_special)};
    return EncodedDataset(graphs, options, input_layout(graphs, options)).graphs()[0].num_nodes();
  };
  const model::ModelOptions pairs = marked_options(ModelKind::k2WlGnn);
  for (const Decoration decoration : {Decoration::kNodeLabels, Decoration::kAttributes}) {
    EXPECT_EQ(nodes_of(decoration, false, pairs), 6u);
    EXPECT_EQ(nodes_of(decoration, true, pairs), 24u);  // itself, its neighbors, theirs, opposite
  }
  // What is not looked at keeps nothing apart.
  model::ModelOptions blind = marked_options(ModelKind::kGin);
  EXPECT_EQ(nodes_of(Decoration::kAttributes, true, blind), 24u);
  blind.node_attributes = false;
  EXPECT_EQ(nodes_of(Decoration::kAttributes, true, blind), 6u);
  // Each copy has a dropout of its own.
  blind.layer_dropout = 0.2;
  EXPECT_EQ(nodes_of(Decoration::kAttributes, true, blind), 36u);

  const std::vector<Graph> plain = {petersen(), path(5)};
  const EncodedDataset data(plain, pairs, input_layout(plain, pairs));
  EXPECT_EQ(data.graphs()[0].num_nodes(), 10u);  // one orbit
  EXPECT_EQ(data.node_times(0)[0], 10u);
  EXPECT_EQ(data.graphs()[1].num_nodes(), 15u);  // ends, their neighbors, the middle
  EXPECT_EQ(data.node_times(1)[0], 2u);
  EXPECT_EQ(data.node_times(1)[14], 1u);
}

TEST(MarkedNetwork, NeedsTheMemoryOfItsOrbits) {
  model::ModelOptions options = marked_options(ModelKind::kGin);
  const std::vector<Graph> graphs = {cycle(1000)};
  const InputLayout layout = input_layout(graphs, options);
  EncodeLimits limits;
  limits.max_memory = 1'000'000;
  EXPECT_EQ(EncodedDataset(graphs, options, layout, limits).num_rows(), 1000u);
  limits.marks_by_orbit = false;
  EXPECT_THROW(EncodedDataset(graphs, options, layout, limits), Error);
}

TEST(MarkedNetwork, KeepsColorsOfOrbitsInTheCache) {
  const TemporaryFolder folder;
  EncodeLimits cached;
  cached.cache = folder.path();
  const std::vector<Graph> graphs = {petersen(), path(5), cycle(7)};
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::k2WlGnn}) {
    const model::ModelOptions options = marked_options(kind);
    const auto counts = [&](const EncodeLimits& limits, std::size_t& num_files) {
      const EncodedDataset data(graphs, options, input_layout(graphs, options), limits);
      const Span<const std::uint64_t> found =
          kind == ModelKind::kGin ? data.neighbor_levels(2).pool_counts : data.color_levels(2).pool_counts;
      EXPECT_EQ(data.cache_trouble(), "");
      const std::filesystem::directory_iterator all(folder.path());
      num_files = static_cast<std::size_t>(std::distance(begin(all), end(all)));
      return std::vector<std::uint64_t>(found.begin(), found.end());
    };
    std::size_t before = 0, files = 0, again = 0;
    const std::vector<std::uint64_t> plain = counts({}, before);
    EXPECT_EQ(counts(cached, files), plain);
    EXPECT_EQ(files, before + 1);
    EXPECT_EQ(counts(cached, again), plain);
    EXPECT_EQ(again, files);
  }
  // Equal graphs whose rows count otherwise have a file of their own.
  const std::vector<std::vector<std::uint32_t>> once = {{1, 1}}, twice = {{2, 2}};
  const std::vector<Graph> one = {path(2)};
  levels::ColorLevelOptions a, b;
  a.node_times = once;
  b.node_times = twice;
  EXPECT_NE(levels::level_key(one, pairs::Radius(1), a), levels::level_key(one, pairs::Radius(1), b));
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

// Copies of orbits say of rows what all copies say, and the same of all rows of an orbit.
TEST(MarkedNetwork, IsExplainedTheSameByOneMarkOfEachOrbit) {
  const auto changed = [](ModelKind kind, const std::function<void(model::ModelOptions&)>& change) {
    model::ModelOptions options = marked_options(kind);
    change(options);
    return options;
  };
  const std::vector<model::ModelOptions> all = {
      marked_options(ModelKind::kGin),
      marked_options(ModelKind::k2WlGnn),
      changed(ModelKind::k2WlGnn, [](auto& o) { o.attention = model::Attention::kScalar; }),
      changed(ModelKind::k2WlGnn,
              [](auto& o) {
                o.head = model::Head::kNone;
                o.pooling = model::Pooling::kMean;
              }),
      changed(ModelKind::k2WlGnn,
              [](auto& o) {
                o.head = model::Head::kNone;
                o.pooling = model::Pooling::kMax;
                o.radius = pairs::Radius(2);
              }),
      changed(ModelKind::k2WlGnn, [](auto& o) {
        o.pooling = model::Pooling::kSum;
        o.pool_by_kind = true;
      })};
  for (const Decoration decoration : {Decoration::kNone, Decoration::kEdgeLabels, Decoration::kAttributes}) {
    std::vector<Graph> graphs;
    for (const bool is_first_special : {false, true})
      for (const Graph& g : {star(4), path(5), cycle(6), two_triangles(), petersen()})
        graphs.push_back(decorated(g, decoration, is_first_special));
    for (const model::ModelOptions& options : all) {
      const Network network = marked_network(graphs, options);
      EncodeLimits every;
      every.marks_by_orbit = false;
      const EncodedDataset by_all(graphs, options, network.layout, every);
      const EncodedDataset by_orbit(graphs, options, network.layout);
      for (const ExplainBy by : {ExplainBy::kGradient, ExplainBy::kAttention, ExplainBy::kScore}) {
        if (!has_explanation(options, by)) continue;
        for (std::uint32_t g = 0; g < graphs.size(); ++g) {
          const std::vector<RowContribution> wanted = explain(network, by_all, g, by).rows;
          const std::vector<RowContribution> found = explain(network, by_orbit, g, by).rows;
          ASSERT_EQ(found.size(), wanted.size());
          // Which of equal rows is the largest is a matter of rounding; what all get together is not.
          const bool has_ties = options.pooling == model::Pooling::kMax;
          double sum = 0, wanted_sum = 0;
          for (std::size_t f = 0; f < found.size(); ++f) {
            EXPECT_EQ(std::make_pair(found[f].u, found[f].v), std::make_pair(wanted[f].u, wanted[f].v));
            EXPECT_EQ(found[f].kind, wanted[f].kind);
            sum += found[f].contribution;
            wanted_sum += wanted[f].contribution;
            ASSERT_EQ(found[f].weight.has_value(), wanted[f].weight.has_value());
            ASSERT_EQ(found[f].score.has_value(), wanted[f].score.has_value());
            if (found[f].score) {
              EXPECT_NEAR(*found[f].score, *wanted[f].score, 1e-10);
            }
            if (has_ties) continue;
            EXPECT_NEAR(found[f].contribution, wanted[f].contribution, 1e-10);
            if (found[f].weight) {
              EXPECT_NEAR(*found[f].weight, *wanted[f].weight, 1e-10);
            }
          }
          EXPECT_NEAR(sum, wanted_sum, 1e-9);
        }
        const std::vector<RowContribution> petersens = explain(network, by_orbit, 4, by).rows;
        for (Node v = 1; v < 10; ++v) EXPECT_EQ(petersens[v].contribution, petersens[0].contribution);
      }
    }
  }
}

TEST(MarkedNetwork, ComesBackFromItsFile) {
  Random random(7);
  const std::vector<Graph> graphs = {random_graph(random, 6, 0.5, 3), random_graph(random, 6, 0.5, 3)};
  const Network network = marked_network(graphs, marked_options(ModelKind::kGin));
  const Network again = decode_network(encode_network(network), "file");
  // Its labels are those of the data, wherever they lie.
  TrainedModel model;
  model.network = again;
  Dataset known;
  known.graphs = graphs;
  EXPECT_TRUE(unknown_labels(model, known).empty());
  EXPECT_TRUE(again.layout.is_marked);
  EXPECT_EQ(again.layout.own_labels, network.layout.own_labels);
  EXPECT_EQ(outputs_of(again, graphs, model::EngineKind::kFused),
            outputs_of(network, graphs, model::EngineKind::kFused));
  // Labels of the data are asked for, not those of the copies.
  const std::vector<Graph> other = {cycle(4)};
  EXPECT_THROW(require_fitting(other, again.layout, ModelKind::kGin, "x"), InputError);
}

TEST(MarkedNetwork, ReadsDegreesAsLabels) {
  model::ModelOptions options = marked_options(ModelKind::kGin);
  options.degree_features = true;
  const std::vector<Graph> graphs = {star(4), path(3)}, larger = {star(6)};
  const Network network = decode_network(encode_network(marked_network(graphs, options)), "file");
  EXPECT_EQ(network.layout.own_labels, (std::vector<Label>{1, 2, 4}));
  EXPECT_EQ(network.layout.columns(), 6u);
  const EncodedDataset data(larger, options, network.layout);
  // A leaf marked and the center, whose degree of 6 is read as 4.
  EXPECT_EQ(data.graphs()[0].node_labels()[0], 5);
  EXPECT_EQ(data.graphs()[0].node_labels()[1], 0);
  EXPECT_EQ(data.graphs()[0].node_labels()[8], 1);
}

TEST(MarkedNetwork, RefusesWhatHasNoMarks) {
  model::ModelOptions options = marked_options(ModelKind::k2WlGnn);
  options.radius = pairs::Radius::all();
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
