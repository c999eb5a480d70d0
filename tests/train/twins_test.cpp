#include "twofold/model/twins.h"

#include <gtest/gtest.h>

#include "tests/support/data_folder.h"
#include "tests/support/named_graphs.h"
#include "twofold/graph/generate.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/dataset_file.h"
#include "twofold/model/model_table.h"
#include "twofold/model/network_twins.h"
#include "twofold/train/kernel_learner.h"

namespace twofold::train {
using namespace model;  // NOLINT: its names are the words of this file

namespace {

Graph path_with_attributes(std::vector<double> values) {
  GraphBuilder builder(values.size());
  for (Node v = 1; v < values.size(); ++v) builder.add_edge(v - 1, v);
  builder.set_node_attributes(1, std::move(values));
  return std::move(builder).build();
}

model::LabeledGraphs labeled(std::vector<std::uint32_t> classes) {
  model::LabeledGraphs graphs;
  for (std::uint32_t i = 0; i < classes.size(); ++i) graphs.graphs.push_back(i);
  graphs.class_of = std::move(classes);
  return graphs;
}

TEST(Twins, CountWhatSharesAClassAndWhatThatAllows) {
  // Classes {0,1,2} with targets a a b, {3} alone, {4,5} with a a.
  const model::TwinClasses twins{"x", {0, 0, 0, 1, 2, 2}};
  const model::Duplicates found = count_duplicates(twins, labeled({0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(found.num_classes, 3u);
  EXPECT_EQ(found.sharing, 5u);
  EXPECT_EQ(found.mixed, 3u);
  EXPECT_DOUBLE_EQ(found.ceiling, 100.0 * 5 / 6);
  EXPECT_DOUBLE_EQ(count_duplicates({"x", {}}, {}).ceiling, 100);
}

TEST(Twins, TellWhichTestsLookLikeTrainingGraphs) {
  const model::TwinClasses twins{"x", {0, 0, 0, 1, 2, 2}};
  const model::LabeledGraphs all = labeled({0, 0, 1, 1, 0, 0});
  model::LabeledGraphs train{{0, 3, 4}, {0, 1, 0}, {}}, test{{1, 2, 5}, {0, 1, 0}, {}};
  const model::TestTwins found = count_test_twins(twins, train, test);
  EXPECT_EQ(found.num_graphs, 3u);
  EXPECT_EQ(found.twins, 3u);
  EXPECT_EQ(found.mislead, 1u);
  // Graphs 1 and 2 look the same and differ in their target: one of the three is wrong at best.
  EXPECT_DOUBLE_EQ(found.ceiling, 100.0 * 2 / 3);
}

TEST(Twins, SeeAttributesWhereTheLearnerDoes) {
  const std::vector<Graph> graphs = {path_with_attributes({1, 2, 1}), path_with_attributes({1, 1, 2}),
                                     path_with_attributes({1, 2, 1})};
  const wl::WlTest test = wl::parse_test("1-wl");
  EXPECT_EQ(model::wl_twins(graphs, test).class_of, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(model::wl_twins(graphs, test, {true, false, true, false}).class_of,
            (std::vector<std::uint32_t>{0, 0, 0}));
  // Without edges the first two are the same multiset.
  EXPECT_EQ(model::node_feature_twins(graphs).class_of, (std::vector<std::uint32_t>{0, 0, 0}));
}

// Three paths of three nodes: the first two differ in an edge label, the first and the last in an attribute.
std::vector<Graph> paths_with_everything() {
  std::vector<Graph> graphs;
  for (const int i : {0, 1, 2}) {
    GraphBuilder builder(3);
    builder.add_edge(0, 1);
    builder.add_edge(1, 2);
    builder.set_node_labels({1, 1, 1});
    builder.set_edge_labels({0, i == 1 ? 1 : 0});
    builder.set_node_attributes(1, {0, 0, i == 2 ? 0.5 : 0});
    graphs.push_back(std::move(builder).build());
  }
  return graphs;
}

TEST(Twins, OfLearnersThatSeeDifferentDataSayWhichTheyCount) {
  const std::vector<Graph> graphs = paths_with_everything();
  Dataset dataset;
  dataset.graphs = graphs;
  dataset.set_classes({"a", "b", "a"});
  const model::Targets targets(dataset);
  const auto network = [&](const std::string& model) {
    return model::network_twins(model, {model::fallback_config(model::find_model(model))}, graphs);
  };
  const auto kernel = [&](bool edge_labels) {
    model::Config config = model::fallback_config(model::find_model("wl-st"));
    config["edge-labels"] = edge_labels;
    return kernel_learners()[0].make({graphs, targets.task()})->twins({config});
  };
  using Classes = std::vector<std::uint32_t>;
  EXPECT_EQ(network("gin").seen_by, "1-wl (node labels, node attributes; not edge labels)");
  EXPECT_EQ(network("gin").class_of, (Classes{0, 0, 1}));
  EXPECT_EQ(kernel(false).seen_by, "1-wl (node labels; not node attributes, edge labels)");
  EXPECT_EQ(kernel(false).class_of, (Classes{0, 0, 0}));
  EXPECT_EQ(kernel(true).seen_by, "1-wl (node labels, edge labels; not node attributes)");
  EXPECT_EQ(kernel(true).class_of, (Classes{0, 1, 0}));
  EXPECT_EQ(network("2-wl-gnn").class_of, (Classes{0, 1, 2}));
}

TEST(Twins, OfANetworkWithoutNodeAttributesStillDifferInEdgeAttributes) {
  std::vector<Graph> graphs;
  for (const double value : {0.0, 1.0}) {
    GraphBuilder builder(2);
    builder.add_edge(0, 1);
    builder.set_node_attributes(1, {value, value});
    builder.set_edge_attributes(1, {value});
    graphs.push_back(std::move(builder).build());
  }
  model::Config config = model::fallback_config(model::find_model("2-wl-gnn"));
  config["node-attributes"] = false;
  const model::TwinClasses twins = model::network_twins("2-wl-gnn", {config}, graphs);
  EXPECT_EQ(twins.class_of, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(twins.seen_by, "2-wl, radius 1 (edge attributes; not node attributes)");
}

TEST(SeenData, NamesWhatALearnerPassesOver) {
  const model::GraphData found = model::data_of(paths_with_everything());
  const std::vector<model::Config> grid = {model::fallback_config(model::find_model("wl-st"))};
  const model::GraphData ignored = ignored_data(found, model::seen_data("wl-st", grid));
  EXPECT_EQ(data_names(ignored), (std::vector<std::string>{"node attributes", "edge labels"}));
  EXPECT_EQ(model::describe_ignored("wl-st", "SAMPLE", ignored),
            "wl-st does not see the node attributes and edge labels of SAMPLE");
  EXPECT_EQ(model::describe_ignored("gin", "SAMPLE",
                                    ignored_data(model::data_of({}), model::seen_data("wl-st", grid))),
            "");
}

TEST(Twins, OfAKernelAreThoseWithEqualFeatures) {
  // A hexagon and two triangles: the same for 1-wl, not for shortest paths.
  const Dataset cycles = [] {
    Dataset dataset;
    for (const std::size_t n : {6u, 3u}) {
      GraphBuilder builder(6);
      for (Node v = 0; v < 6; ++v) builder.add_edge(v, static_cast<Node>(v / n * n + (v % n + 1) % n));
      dataset.graphs.push_back(std::move(builder).build());
    }
    dataset.set_classes({"a", "b"});
    return dataset;
  }();
  const model::Targets targets(cycles);
  for (const model::LearnerFactory& factory : kernel_learners()) {
    const auto learner = factory.make({cycles.graphs, targets.task()});
    const model::TwinClasses twins = learner->twins({model::fallback_config(model::find_model(factory.model))});
    const bool tells_apart = twins.class_of[0] != twins.class_of[1];
    // 2-lwl too: in a triangle, an edge whose end moves to a neighbor is an edge again. 2-wl sees triangles.
    const bool should = factory.model == "wl-sp" || factory.model == "2-lwl" || factory.model == "2-wl";
    EXPECT_EQ(tells_apart, should) << factory.model;
  }
}

TEST(Twins, OfNetworksAreThoseOfTheTestThatBoundsThem) {
  // A hexagon, two triangles, and six nodes without edges.
  std::vector<Graph> graphs;
  for (const std::size_t n : {6u, 3u}) {
    GraphBuilder builder(6);
    for (Node v = 0; v < 6; ++v) builder.add_edge(v, static_cast<Node>(v / n * n + (v % n + 1) % n));
    graphs.push_back(std::move(builder).build());
  }
  graphs.push_back(GraphBuilder(6).build());
  using Classes = std::vector<std::uint32_t>;
  const auto of = [&](const char* model, const model::Config& more = model::Config::object()) {
    model::Config config = model::fallback_config(model::find_model(model));
    config.update(more);
    return model::network_twins(model, std::vector<model::Config>(1, config), graphs).class_of;
  };
  EXPECT_EQ(of("mlp"), (Classes{0, 0, 0}));
  for (const char* model : {"gin", "gcn", "sage", "2-gnn"}) EXPECT_EQ(of(model), (Classes{0, 0, 1})) << model;
  EXPECT_EQ(of("2-wl-gnn"), (Classes{0, 1, 2}));
  // Two radii: what either tells apart.
  std::vector<model::Config> grid(2, model::fallback_config(model::find_model("2-wl-gnn")));
  grid[1]["radius"] = "all";
  const model::TwinClasses both = model::network_twins("2-wl-gnn", grid, graphs);
  EXPECT_EQ(both.class_of, (Classes{0, 1, 2}));
  EXPECT_EQ(both.seen_by, "2-wl, radius 1 and 2-wl, radius all");
}

TEST(Twins, AreMostOfImdb) {
  const std::string data = testing::data_folder();
  if (data.empty()) GTEST_SKIP() << testing::kNeedsData;
  const Dataset imdb = io::read_dataset(data + "/IMDB-BINARY");
  std::vector<std::uint32_t> all(imdb.graphs.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
  const model::Duplicates found =
      count_duplicates(model::wl_twins(imdb.graphs, wl::parse_test("1-wl")), model::Targets(imdb).of(all));
  EXPECT_EQ(found.sharing, 579u);
  EXPECT_EQ(found.mixed, 318u);
}

}  // namespace
}  // namespace twofold::train
