#include "twofold/graph/neighborhood.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/learning_sample.h"
#include "tests/support/named_graphs.h"
#include "twofold/graph/generate_basic.h"
#include "twofold/graph/removal.h"

namespace twofold {
namespace {

TEST(Neighborhood, HasTheNodesWithinSoManySteps) {
  const Graph path = graph::path_graph(6);
  const std::vector<Node> ends = {0, 5}, middle = {2};
  EXPECT_EQ(nodes_within(path, middle, 0), (std::vector<Node>{2}));
  EXPECT_EQ(nodes_within(path, middle, 1), (std::vector<Node>{1, 2, 3}));
  EXPECT_EQ(nodes_within(path, ends, 1), (std::vector<Node>{0, 1, 4, 5}));
  EXPECT_EQ(nodes_within(path, middle, 100).size(), 6u);
  EXPECT_TRUE(nodes_within(path, {}, 3).empty());
}

TEST(Neighborhood, KeepsLabelsAttributesAndSelfLoops) {
  // Taking nodes away one by one is the oracle.
  for (const Graph& g : testing::learning_graphs(3, 12, true)) {
    if (g.num_nodes() < 3) continue;
    std::vector<Node> nodes;
    for (Node v = 0; v < g.num_nodes(); v += 2) nodes.push_back(v);
    Graph expected = g;
    for (Node v = static_cast<Node>(g.num_nodes()); v-- > 0;)
      if (v % 2 == 1) expected = without_node(expected, v);
    const Neighborhood part = induced(g, nodes);
    part.graph.check();
    EXPECT_EQ(part.graph, expected);
    EXPECT_EQ(part.nodes, nodes);
    EXPECT_EQ(part.name_of(2), 1u);
    EXPECT_EQ(part.name_of(1), nodes.size());
  }
}

TEST(Neighborhood, OfAllNodesIsTheGraph) {
  for (const Graph& g : testing::learning_graphs(5, 6, false)) {
    std::vector<Node> all(g.num_nodes());
    std::iota(all.begin(), all.end(), Node{0});
    EXPECT_EQ(induced(g, all).graph, g);
  }
}

}  // namespace
}  // namespace twofold
