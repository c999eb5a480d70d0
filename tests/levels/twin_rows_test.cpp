#include "twofold/levels/twin_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "tests/support/named_graphs.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/levels/twin_scan.h"

namespace twofold::levels {
namespace {

using pairs::Radius;

// All loops of one color, all edges of one.
InitialColors plain_colors(const Graph& g) {
  InitialColors colors;
  colors.loops.assign(g.num_nodes(), 0);
  if (g.num_edges() > 0) colors.edges.assign(1, 1);
  return colors;
}

TwinRows rows_of(const Graph& g, Radius radius) {
  TwinRows rows = make_twin_rows(g, plain_colors(g), radius, true, 1 << 30);
  rows.set_indirect(2);
  return rows;
}

TEST(Twins, OfAStarAreItsLeavesAndOfACliqueAllItsNodes) {
  const Graph star = testing::star(5);
  const Twins leaves = graph::find_twins(star);
  ASSERT_EQ(leaves.num_classes(), 2u);
  EXPECT_EQ(leaves.size[0] + leaves.size[1], 6u);
  EXPECT_FALSE(leaves.is_clique[0] || leaves.is_clique[1]);
  const Graph clique = testing::complete(5);
  const Twins all = graph::find_twins(clique);
  ASSERT_EQ(all.num_classes(), 1u);
  EXPECT_TRUE(all.is_clique[0]);
  EXPECT_EQ(graph::find_twins(clique, {}, {}, false).num_classes(), 5u);
  const Graph path = testing::path(5);
  EXPECT_EQ(graph::find_twins(path).num_classes(), 5u);
}

TEST(Twins, AgreeInTheColorsOfTheirEdges) {
  constexpr Node kLeaves = 40;
  GraphBuilder builder(kLeaves + 1);
  std::vector<Label> labels;
  for (Node v = 1; v <= kLeaves; ++v) {
    builder.add_edge(0, v);
    labels.push_back(static_cast<Label>(v % 4));
  }
  builder.set_edge_labels(labels);
  const Graph star = std::move(builder).build();
  InitialColors colors;
  colors.loops.assign(kLeaves + 1, 0);
  for (const Label label : star.edge_labels()) colors.edges.push_back(static_cast<Row>(1 + label));
  EXPECT_EQ(graph::find_twins(star, colors.loops, colors.edges).num_classes(), 5u);
}

TEST(TwinRows, StandForAllPairs) {
  // Leaves see each other from radius 2 on; nodes without neighbors never do, but for `all`.
  EXPECT_EQ(rows_of(testing::star(5), Radius(1)).num_rows(), 3u);
  EXPECT_EQ(rows_of(testing::star(5), Radius(2)).num_rows(), 4u);
  EXPECT_EQ(rows_of(testing::empty_graph(4), Radius(3)).num_rows(), 1u);
  const TwinRows all = rows_of(testing::empty_graph(4), Radius::all());
  ASSERT_EQ(all.num_rows(), 2u);
  EXPECT_EQ(all.count(0), 4u);
  EXPECT_EQ(all.count(1), 6u);
}

TEST(TwinScan, FindsTheSameWhenColorsFillTheirWords) {
  // Colors are packed with weights into 64 bits, or 128 where there are too many colors: say that there are.
  const std::vector<Graph> graphs = {testing::star(9), testing::complete(6), testing::petersen(),
                                     testing::path(7)};
  for (const Graph& g : graphs)
    for (const Radius radius : {Radius(1), Radius(2), Radius::all()}) {
      const TwinRows rows = rows_of(g, radius);
      using Content =
          std::tuple<Row, std::vector<std::pair<Row, Row>>, std::vector<std::uint32_t>, std::uint64_t>;
      const auto contents = [&](std::size_t num_colors) {
        std::map<Row, Content> found;
        TwinScan scan;
        scan.scan(rows, rows.color, num_colors, [&](Row row, const TripleKey& key) {
          std::vector<std::pair<Row, Row>> triples;
          for (const RowPair pair : key.items) triples.emplace_back(pair.a, pair.b);
          found[row] = {key.own, triples, {key.multiplicity.begin(), key.multiplicity.end()}, key.hash};
        });
        return found;
      };
      const auto narrow = contents(3);
      EXPECT_EQ(narrow.size(), rows.num_rows());
      EXPECT_TRUE(contents(0x7fffffffu) == narrow);
      EXPECT_TRUE(contents(0x80000000u) == narrow);
    }
}

}  // namespace
}  // namespace twofold::levels
