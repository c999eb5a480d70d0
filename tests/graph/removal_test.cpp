#include "twofold/graph/removal.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/named_graphs.h"
#include "twofold/base/random.h"
#include "twofold/graph/graph_builder.h"

namespace twofold {
namespace {

Graph with_everything() {
  GraphBuilder builder(4);
  builder.add_edge(0, 1);
  builder.add_edge(1, 2);
  builder.add_edge(2, 3);
  builder.add_edge(3, 3);
  builder.set_node_labels({5, 6, 7, 8});
  builder.set_node_attributes(1, {.5, .6, .7, .8});
  builder.set_edge_labels({1, 12, 23, 33});
  builder.set_edge_attributes(1, {.1, 1.2, 2.3, 3.3});
  return std::move(builder).build();
}

TEST(Removal, TakesLabelsAndAttributesAlong) {
  const Graph g = without_node(with_everything(), 1);
  GraphBuilder expected(3);
  expected.add_edge(1, 2);
  expected.add_edge(2, 2);
  expected.set_node_labels({5, 7, 8});
  expected.set_node_attributes(1, {.5, .7, .8});
  expected.set_edge_labels({23, 33});
  expected.set_edge_attributes(1, {2.3, 3.3});
  EXPECT_EQ(g, std::move(expected).build());
  g.check();

  const Graph loopless = without_edge(with_everything(), 3);
  EXPECT_EQ(loopless.num_self_loops(), 0u);
  EXPECT_EQ(loopless.num_edges(), 3u);
  EXPECT_EQ(loopless.edge_labels().size(), 3u);
}

TEST(Removal, LeavesTheRestAsItWas) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Graph g = testing::random_graph(random, 8, 0.4);
    for (Node v = 0; v < g.num_nodes(); ++v) {
      const Graph left = without_node(g, v);
      ASSERT_EQ(left.num_nodes(), g.num_nodes() - 1);
      for (Node a = 0; a < left.num_nodes(); ++a)
        for (Node b = 0; b < left.num_nodes(); ++b)
          ASSERT_EQ(left.has_edge(a, b), g.has_edge(a + (a >= v), b + (b >= v)));
    }
    const auto edges = g.edges();
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Graph left = without_edge(g, e);
      ASSERT_EQ(left.num_edges(), g.num_edges() - 1);
      ASSERT_FALSE(left.has_edge(edges[e].u, edges[e].v));
    }
  }
}

TEST(Removal, OfTheLastNodeLeavesNone) {
  EXPECT_EQ(without_node(testing::path(1), 0).num_nodes(), 0u);
  EXPECT_THROW(without_node(testing::path(1), 1), CheckError);
  EXPECT_THROW(without_edge(testing::path(2), 1), CheckError);
}

}  // namespace
}  // namespace twofold
