#include "twofold/graph/generate_basic.h"

#include <gtest/gtest.h>

#include "tests/support/graph_properties.h"
#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/base/error.h"

namespace twofold::graph {
namespace {

TEST(GenerateBasic, GivesTheNamedGraphs) {
  for (std::size_t n = 0; n < 8; ++n) {
    EXPECT_EQ(path_graph(n), testing::path(n));
    EXPECT_EQ(complete_graph(n), testing::complete(n));
    if (n >= 3) {
      EXPECT_EQ(cycle_graph(n), testing::cycle(n));
    }
  }
  EXPECT_THROW(cycle_graph(2), UsageError);
}

TEST(GenerateBasic, GridsJoinRowsAndColumns) {
  EXPECT_EQ(grid_graph(1, 5), testing::path(5));
  EXPECT_EQ(grid_graph(5, 1), testing::path(5));
  EXPECT_TRUE(testing::isomorphic(grid_graph(2, 2), testing::cycle(4)));
  EXPECT_EQ(grid_graph(3, 4).num_edges(), 3u * 3 + 2 * 4);
  EXPECT_TRUE(testing::isomorphic(grid_graph(3, 4), grid_graph(4, 3)));
  EXPECT_EQ(grid_graph(0, 4).num_nodes(), 0u);
}

TEST(GenerateBasic, TheComplementOfAFiveCycleIsAFiveCycle) {
  EXPECT_TRUE(testing::isomorphic(complement(testing::cycle(5)), testing::cycle(5)));
  EXPECT_EQ(complement(testing::complete(4)), testing::empty_graph(4));
  EXPECT_EQ(complement(Graph()), Graph());
}

TEST(GenerateBasic, ConnectednessAgreesWithCountedComponents) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Graph g = testing::random_graph(random, 1 + random.below(12), 0.2);
    EXPECT_EQ(is_connected(g), testing::num_components(g) == 1);
  }
  EXPECT_TRUE(is_connected(Graph()));
}

TEST(RenamedCopies, AreIsomorphicGroupedAndIndependentOfTheirNumber) {
  const std::vector<Graph> graphs = {testing::petersen(), testing::decalin()};
  const Dataset three = renamed_copies("x", graphs, {"5", "3"}, 3, 4);
  const Dataset two = renamed_copies("x", graphs, {"5", "3"}, 2, 4);
  three.check();
  ASSERT_EQ(three.graphs.size(), 6u);
  EXPECT_EQ(three.class_names, (std::vector<std::string>{"3", "5"}));
  EXPECT_EQ(three.class_of, (std::vector<std::uint32_t>{1, 1, 1, 0, 0, 0}));
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_TRUE(testing::isomorphic(three.graphs[i], graphs[i / 3]));
    if (i % 3 == 0)
      EXPECT_EQ(three.graphs[i], graphs[i / 3]);
    else
      EXPECT_FALSE(three.graphs[i] == graphs[i / 3]);
    if (i % 3 < 2) {
      EXPECT_EQ(three.graphs[i], two.graphs[i / 3 * 2 + i % 3]);
    }
  }
  EXPECT_FALSE(renamed_copies("x", graphs, {}, 1, 4).has_classes());
  EXPECT_THROW(renamed_copies("x", graphs, {}, 0, 4), UsageError);
}

TEST(GeneratePaths, GivesOnePathOfEachSize) {
  PathsOptions options;
  options.min_nodes = 2;
  options.max_nodes = 6;
  const Dataset data = generate_paths(options);
  ASSERT_EQ(data.graphs.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(data.graphs[i], testing::path(i + 2));
  options.min_nodes = 7;
  EXPECT_THROW(generate_paths(options), UsageError);
  options.min_nodes = 0;
  EXPECT_THROW(generate_paths(options), UsageError);
}

TEST(Nauty, TellsLabelsApart) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Graph g = testing::random_graph(random, 9, 0.4, 2);
    EXPECT_TRUE(testing::isomorphic(g, testing::shuffled(g, random)));
  }
  EXPECT_FALSE(testing::isomorphic(testing::cycle(6), testing::two_triangles()));
  EXPECT_FALSE(testing::isomorphic(testing::decalin(), testing::bicyclopentyl()));
}

}  // namespace
}  // namespace twofold::graph
