#include "twofold/graph/marked_union.h"

#include <gtest/gtest.h>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"

namespace twofold::graph {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file

TEST(MarkedUnion, HasACopyPerNodeWithThatNodeMarked) {
  Random random(2);
  const Graph g = random_decorated(random, 6, 0.5);
  std::vector<Label> labels(g.node_labels().begin(), g.node_labels().end());
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const Graph all = marked_union(g, labels);
  const std::size_t n = g.num_nodes();
  ASSERT_EQ(all.num_nodes(), n * n);
  EXPECT_EQ(all.num_edges(), n * g.num_edges());
  EXPECT_EQ(all.num_self_loops(), n * g.num_self_loops());
  for (Node copy = 0; copy < n; ++copy)
    for (Node u = 0; u < n; ++u) {
      const Label own =
          g.has_node_labels()
              ? static_cast<Label>(std::lower_bound(labels.begin(), labels.end(), g.node_labels()[u]) -
                                   labels.begin())
              : 0;
      EXPECT_EQ(all.node_labels()[copy * n + u], 2 * own + (u == copy ? 1 : 0));
      for (Node v = 0; v < n * n; ++v)
        EXPECT_EQ(all.has_edge(static_cast<Node>(copy * n + u), v),
                  v / n == copy && g.has_edge(u, static_cast<Node>(v % n)));
    }
  EXPECT_EQ(marked_union(empty_graph(0), {}).num_nodes(), 0u);
}

TEST(MarkedUnion, HasACopyPerNodeThatIsAskedFor) {
  const Graph g = path(4);
  const Graph two = marked_union(g, {}, std::vector<Node>{2, 0});
  ASSERT_EQ(two.num_nodes(), 8u);
  EXPECT_EQ(two.num_edges(), 6u);
  EXPECT_EQ(std::vector<Label>(two.node_labels().begin(), two.node_labels().end()),
            (std::vector<Label>{0, 0, 1, 0, 1, 0, 0, 0}));
  EXPECT_TRUE(two.has_edge(4, 5));
  EXPECT_FALSE(two.has_edge(3, 4));
  EXPECT_EQ(marked_union(g, {}, std::vector<Node>{}).num_nodes(), 0u);
}

}  // namespace
}  // namespace twofold::graph
