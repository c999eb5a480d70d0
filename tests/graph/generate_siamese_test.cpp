#include "twofold/graph/generate_siamese.h"

#include <gtest/gtest.h>

#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

// The edges of one label.
Graph part(const Graph& g, Label label) {
  GraphBuilder builder(g.num_nodes());
  std::size_t number = 0;
  for (const Edge e : g.edges())
    if (g.edge_labels()[number++] == label) builder.add_edge(e.u, e.v);
  return std::move(builder).build();
}

Graph line_graph(const Graph& g) {
  const auto edges = g.edges();
  GraphBuilder builder(edges.size());
  for (Node a = 0; a < edges.size(); ++a)
    for (Node b = 0; b < a; ++b)
      if (edges[a].u == edges[b].u || edges[a].u == edges[b].v || edges[a].v == edges[b].u ||
          edges[a].v == edges[b].v)
        builder.add_edge(a, b);
  return std::move(builder).build();
}

TEST(Siamese, GraphsAreThreeLineGraphsOfPetersensWithCommonAntipodes) {
  const Graph expected = line_graph(testing::petersen());
  for (const SiameseKind kind : {SiameseKind::kScheme, SiameseKind::kProperJordan}) {
    const Graph g = siamese_graph(kind);
    g.check();
    EXPECT_EQ(g.num_nodes(), 15u);
    EXPECT_EQ(g.num_edges(), 90u);
    for (const Label label : {1, 2, 3}) {
      const Graph one = part(g, label);
      EXPECT_TRUE(testing::isomorphic(one, expected)) << label;
      // Antipodal: nodes of a group are neither adjacent nor share a neighbor.
      for (Node v = 0; v < 15; ++v)
        for (Node w = v / 3 * 3; w < v; ++w)
          for (const Node u : one.neighbors(v)) EXPECT_FALSE(one.has_edge(u, w));
    }
  }
}

TEST(Siamese, KindsAreNotIsomorphic) {
  const Dataset dataset = generate_siamese();
  dataset.check();
  EXPECT_FALSE(testing::isomorphic(dataset.graphs[0], dataset.graphs[1]));
  EXPECT_EQ(dataset.class_of, (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace twofold::graph
