#include "twofold/graph/power.h"

#include <gtest/gtest.h>

#include "tests/support/named_graphs.h"
#include "tests/support/pair_oracle.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/generate_random.h"
#include "twofold/graph/power_counts.h"

namespace twofold::graph {
namespace {

TEST(PowerRadius, IsAWholeNumberFromOneOnOrAll) {
  EXPECT_EQ(parse_radius("all"), PowerRadius::all());
  EXPECT_EQ(parse_radius("8"), PowerRadius(8));
  EXPECT_EQ(to_string(PowerRadius::all()), "all");
  EXPECT_EQ(to_string(PowerRadius(8)), "8");
  EXPECT_EQ(parse_radius("2147483647").steps(), 2147483647u);
  for (const char* bad : {"0", "-1", "+1", "", "01", " 1", "1 ", "1.5", "two", "All", "2147483648",
                          "3000000000", "99999999999999999999"})
    EXPECT_THROW(parse_radius(bad), UsageError) << bad;
  EXPECT_THROW(PowerRadius(0), UsageError);
  EXPECT_THROW(PowerRadius(std::int64_t{1} << 31), UsageError);
}

// Recounted independently: a ring of 1024 nodes has 2048, 3072, 4096 pairs and 5120, 12288, 22528 triples at
// radius 1, 2, 3.
TEST(Power, CountsPairsAndTriplesOfARing) {
  const std::uint64_t pairs[] = {2048, 3072, 4096};
  const std::uint64_t triples[] = {5120, 12288, 22528};
  for (int radius = 1; radius <= 3; ++radius) {
    EXPECT_EQ(count_power_pairs(testing::cycle(1024), radius), pairs[radius - 1]);
    EXPECT_EQ(count_power_triples(find_balls(testing::cycle(1024), radius)), triples[radius - 1]);
  }
}

TEST(Power, IsThatOfThePlainLoops) {
  Random random(7);
  for (int sample = 0; sample < 60; ++sample) {
    const Graph g = erdos_renyi_graph(random.below(14), 0.05 + 0.03 * (sample % 10), random);
    for (const PowerRadius radius :
         {PowerRadius(1), PowerRadius(2), PowerRadius(3), PowerRadius(7), PowerRadius::all()}) {
      const testing::PlainPairs plain = testing::plain_pairs(g, radius);
      const Balls balls = find_balls(g, radius);
      ASSERT_EQ(balls.num_nodes(), g.num_nodes());
      std::vector<std::array<Node, 2>> found;
      for (Node v = 0; v < g.num_nodes(); ++v) found.push_back({v, v});
      for (Node v = 0; v < g.num_nodes(); ++v)
        for (const Node u : balls.of(v))
          if (u > v) found.push_back({v, u});
      EXPECT_EQ(found, plain.rows);
      EXPECT_EQ(balls.num_pairs(), plain.rows.size());
      EXPECT_EQ(count_power_pairs(g, radius), plain.rows.size());
      EXPECT_EQ(count_power_triples(balls), plain.num_triples());
      EXPECT_EQ(count_power(g, radius).pairs, plain.rows.size());
      EXPECT_EQ(count_power(g, radius).triples, plain.num_triples());
      const std::size_t n = g.num_nodes();
      EXPECT_EQ(is_power_complete(g, radius), plain.rows.size() == n * (n + 1) / 2);
    }
  }
}

TEST(Power, CountingStopsWhenThereAreEnough) {
  const Graph g = testing::cycle(101);  // 5151 pairs at radius 50
  EXPECT_EQ(count_power_pairs(g, 50), 5151u);
  EXPECT_EQ(count_power_pairs(g, 50, 5151), 5151u);
  EXPECT_GT(count_power_pairs(g, 50, 300), 300u);
  EXPECT_LT(count_power_pairs(g, 50, 300), 5151u);
}

TEST(Power, CountsTriplesBeyond32Bits) {
  // A star of radius 2 is complete: n (n + 1) / 2 pairs with n triples each. With one more node it is not.
  const std::uint64_t n = 2060;
  const std::uint64_t triples = n * (n + 1) / 2 * n;
  ASSERT_GT(triples, std::uint64_t{1} << 32);
  EXPECT_EQ(count_power_triples(find_balls(testing::star(n - 1), 2)), triples);
  std::vector<std::pair<Node, Node>> edges;
  for (Node leaf = 1; leaf < n; ++leaf) edges.emplace_back(0, leaf);
  EXPECT_EQ(count_power_triples(find_balls(testing::from_edges(n + 1, edges), 2)), triples + 1);
}

TEST(Power, OfAStarOfAMillionNodesIsCountedWithoutItsPairs) {
  const std::uint64_t n = 1000001;
  const Graph g = testing::star(n - 1);
  const std::uint64_t pairs = n * (n + 1) / 2;
  EXPECT_EQ(count_power_pairs(g, 2), pairs);
  EXPECT_TRUE(is_power_complete(g, 2));
  EXPECT_EQ(count_power(g, 2, std::uint64_t{1} << 20).triples, pairs * n);
  EXPECT_EQ(count_power(g, 1, std::uint64_t{1} << 20).pairs, 2 * n - 1);
  // A loop has as many triples as its node neighbors and itself, an edge two.
  EXPECT_EQ(count_power(g, 1, std::uint64_t{1} << 20).triples, n + 2 * (n - 1) + 2 * (n - 1));
}

// Leaves at hubs and cliques, some of both kinds, so that classes of every kind meet.
TEST(Power, CountsOfTwinsAreThoseOfThePlainLoops) {
  Random random(11);
  for (int sample = 0; sample < 60; ++sample) {
    const Graph base = erdos_renyi_graph(1 + random.below(6), 0.4, random);
    std::vector<std::pair<Node, Node>> edges;
    for (const Edge e : base.edges()) edges.emplace_back(e.u, e.v);
    Node n = static_cast<Node>(base.num_nodes());
    for (Node v = 0; v < base.num_nodes(); ++v) {
      const Node copies = static_cast<Node>(random.below(4));
      const bool clique = random.chance(0.5);
      const bool leaves = random.chance(0.5);
      for (Node k = 0; k < copies; ++k, ++n) {
        if (leaves) {
          edges.emplace_back(v, n);
        } else {
          for (const Node u : base.neighbors(v)) edges.emplace_back(u, n);
          if (clique) edges.emplace_back(v, n);
        }
        for (Node other = n - k; clique && other < n; ++other) edges.emplace_back(other, n);
      }
    }
    const Graph g = testing::from_edges(n, edges);
    for (const PowerRadius radius : {PowerRadius(1), PowerRadius(2), PowerRadius(3), PowerRadius::all()}) {
      const testing::PlainPairs plain = testing::plain_pairs(g, radius);
      EXPECT_EQ(count_power(g, radius).pairs, plain.rows.size());
      EXPECT_EQ(count_power(g, radius).triples, plain.num_triples());
      EXPECT_EQ(is_power_complete(g, radius), plain.rows.size() == n * (n + std::size_t{1}) / 2);
    }
  }
}

TEST(Power, RefusesBallsThatDoNotFit) {
  EXPECT_NO_THROW(find_balls(testing::complete(10), 1, 800));
  EXPECT_THROW(find_balls(testing::complete(10), 1, 799), Error);
  EXPECT_NO_THROW(find_balls(testing::path(10), 2, 352));
  EXPECT_THROW(find_balls(testing::path(10), 2, 351), Error);
  EXPECT_THROW(find_balls(testing::empty_graph(10), PowerRadius::all(), 399), Error);
}

}  // namespace
}  // namespace twofold::graph
