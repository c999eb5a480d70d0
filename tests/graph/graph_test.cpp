#include "twofold/graph/graph.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold {
namespace {

using testing::random_graph;
using testing::shuffled;

// A graph with everything a graph can have.
Graph rich_graph(Random& random, std::size_t n) {
  GraphBuilder builder(n);
  std::vector<Label> edge_labels;
  std::vector<double> edge_attributes;
  for (Node u = 0; u < n; ++u)
    for (Node v = u; v < n; ++v)
      if (random.chance(0.4)) {
        const auto label = static_cast<Label>(u * 100 + v);
        builder.add_edge(u, v);
        builder.add_edge(v, u);
        for (int twice = 0; twice < 2; ++twice) {
          edge_labels.push_back(label);
          edge_attributes.insert(edge_attributes.end(), {label + 0.5, -1.0});
        }
      }
  std::vector<Label> labels;
  std::vector<double> attributes;
  for (Node v = 0; v < n; ++v) {
    labels.push_back(static_cast<Label>(v) - 2);
    attributes.push_back(v * 0.25);
  }
  builder.set_node_labels(labels);
  builder.set_node_attributes(1, attributes);
  builder.set_edge_labels(edge_labels);
  builder.set_edge_attributes(2, edge_attributes);
  return std::move(builder).build();
}

TEST(GraphBuilder, CollapsesEdgesListedOnceTwiceOrFourTimes) {
  GraphBuilder builder(4);
  for (int i = 0; i < 2; ++i) {
    builder.add_edge(2, 0);
    builder.add_edge(0, 2);
  }
  builder.add_edge(3, 1);
  const Graph g = std::move(builder).build();
  g.check();
  EXPECT_EQ(g.num_edges(), 2u);
  EXPECT_EQ(g.edges(), (std::vector<Edge>{{0, 2}, {1, 3}}));
  EXPECT_TRUE(g.has_edge(2, 0));
  EXPECT_FALSE(g.has_edge(0, 1));
}

TEST(GraphBuilder, KeepsSelfLoopsAsMarksOnly) {
  GraphBuilder builder(3);
  builder.add_edge(1, 1);
  builder.add_edge(1, 1);
  builder.add_edge(0, 1);
  const Graph g = std::move(builder).build();
  g.check();
  EXPECT_EQ(g.num_edges(), 1u);
  EXPECT_EQ(g.num_self_loops(), 1u);
  EXPECT_EQ(g.degree(1), 1u);
  EXPECT_TRUE(g.has_self_loop(1));
  EXPECT_FALSE(g.has_self_loop(0));
  EXPECT_FALSE(g.has_edge(1, 1));
}

TEST(GraphBuilder, NumbersEdgesByTheirEndsAndLoopsAfterThem) {
  GraphBuilder builder(3);
  builder.add_edge(2, 2);
  builder.add_edge(2, 1);
  builder.add_edge(0, 2);
  builder.set_edge_labels({9, 21, 2});
  const Graph g = std::move(builder).build();
  g.check();
  EXPECT_EQ(g.edge_labels(), Span<const Label>(std::vector<Label>{2, 21, 9}));
  EXPECT_EQ(g.incident_edges(2)[0], 0u);
  EXPECT_EQ(g.incident_edges(2)[1], 1u);
}

TEST(GraphBuilder, RefusesAnEdgeWithTwoLabels) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1);
  builder.add_edge(1, 2);
  builder.add_edge(1, 0);
  builder.set_edge_labels({5, 6, 7});
  try {
    std::move(builder).build();
    FAIL() << "nothing was thrown";
  } catch (const EdgeConflict& conflict) {
    EXPECT_EQ(conflict.first_entry, 0u);
    EXPECT_EQ(conflict.second_entry, 2u);
  }
}

TEST(GraphBuilder, RefusesNodesAndSizesThatDoNotFit) {
  GraphBuilder builder(3);
  EXPECT_THROW(builder.add_edge(0, 3), CheckError);
  EXPECT_THROW(builder.set_node_labels({1, 2}), CheckError);
  EXPECT_THROW(builder.set_node_attributes(2, {1, 2, 3}), CheckError);
  EXPECT_THROW(builder.set_edge_labels({1}), CheckError);
}

TEST(GraphBuilder, AgreesWithASetOfPairs) {
  Random random(17);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = random.below(12);
    GraphBuilder builder(n);
    std::set<std::pair<Node, Node>> edges, loops;
    for (std::uint64_t i = n == 0 ? 0 : random.below(40); i > 0; --i) {
      const auto u = static_cast<Node>(random.below(n));
      const auto v = static_cast<Node>(random.below(n));
      builder.add_edge(u, v);
      (u == v ? loops : edges).insert({std::min(u, v), std::max(u, v)});
    }
    const Graph g = std::move(builder).build();
    g.check();
    std::set<std::pair<Node, Node>> found;
    for (const Edge e : g.edges()) found.insert({e.u, e.v});
    EXPECT_EQ(found, edges);
    EXPECT_EQ(g.num_self_loops(), loops.size());
  }
}

TEST(Graph, WithoutNodesIsEmpty) {
  const Graph g;
  g.check();
  EXPECT_EQ(g.num_nodes(), 0u);
  EXPECT_EQ(g.num_edges(), 0u);
  EXPECT_TRUE(g.edges().empty());
}

TEST(Relabeled, MovesEveryDatumWithItsNodeOrEdge) {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 1 + random.below(9);
    const Graph g = rich_graph(random, n);
    std::vector<Node> names(n), back(n);
    for (Node v = 0; v < n; ++v) names[v] = v;
    random.shuffle(names);
    for (Node v = 0; v < n; ++v) back[names[v]] = v;
    const Graph moved = relabeled(g, names);
    moved.check();
    for (Node v = 0; v < n; ++v) {
      EXPECT_EQ(moved.node_labels()[names[v]], g.node_labels()[v]);
      EXPECT_EQ(moved.node_attributes(names[v]), g.node_attributes(v));
      EXPECT_EQ(moved.has_self_loop(names[v]), g.has_self_loop(v));
      for (const Node u : g.neighbors(v)) EXPECT_TRUE(moved.has_edge(names[u], names[v]));
    }
    EXPECT_EQ(relabeled(moved, back), g);
  }
  EXPECT_THROW(relabeled(testing::cycle(3), std::vector<Node>{0, 0, 1}), CheckError);
}

TEST(DisjointUnion, PutsGraphsSideBySide) {
  const std::vector<Graph> triangles = {testing::cycle(3), testing::cycle(3)};
  EXPECT_EQ(disjoint_union(triangles), testing::two_triangles());
  EXPECT_EQ(disjoint_union({}).num_nodes(), 0u);
  Random random(8);
  const std::vector<Graph> rich = {rich_graph(random, 4), Graph(), rich_graph(random, 3)};
  const Graph all = disjoint_union(rich);
  all.check();
  EXPECT_EQ(all.num_nodes(), 7u);
  EXPECT_EQ(all.node_labels()[5], rich[2].node_labels()[1]);
  EXPECT_FALSE(disjoint_union(std::vector<Graph>{rich[0], testing::path(2)}).has_node_labels());
}

}  // namespace
}  // namespace twofold
