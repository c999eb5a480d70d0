#include "twofold/levels/level_costs.h"

#include <gtest/gtest.h>

#include "tests/support/named_graphs.h"
#include "twofold/pairs/pair_counts.h"

namespace twofold::levels {
namespace {

TEST(LevelCosts, CountTheWholeAndAllBatches) {
  const std::vector<Graph> graphs(10, testing::cycle(6));
  const ColorLevels levels = build_color_levels(graphs, pairs::Radius(1));
  const LevelCosts costs = estimate_costs(levels, 4, 100);
  EXPECT_EQ(costs.num_batches, 3u);
  EXPECT_EQ(costs.num_samples, 3u);
  EXPECT_EQ(costs.plain.rows, 120);
  EXPECT_EQ(costs.plain.triples, pairs::count_pairs(graphs, pairs::Radius(1)).triples);
  ASSERT_EQ(costs.whole.size(), 3u);
  // Loops and edges: two colors in every round; each needs its own loop or edge with what it meets.
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(costs.whole[k].rows, 2);
    EXPECT_EQ(costs.batched[k].rows, 6);
    EXPECT_EQ(costs.batched[k].triples, 3 * costs.whole[k].triples);
  }
  EXPECT_EQ(costs.plain_sum().rows, 360);
  EXPECT_EQ(costs.whole_sum().rows, 6);
}

TEST(LevelCosts, EstimateFromSomeBatches) {
  Random random(2);
  std::vector<Graph> graphs;
  for (int k = 0; k < 200; ++k) graphs.push_back(testing::random_graph(random, 10, 0.3));
  const ColorLevels levels = build_color_levels(graphs, pairs::Radius(1));
  const LevelCosts exact = estimate_costs(levels, 8, 1000);
  const LevelCosts few = estimate_costs(levels, 8, 5);
  EXPECT_EQ(few.num_samples, 5u);
  EXPECT_NEAR(few.batched_sum().triples, exact.batched_sum().triples, 0.1 * exact.batched_sum().triples);
}

TEST(LevelCosts, OfATwoGnnCountALayerOnce) {
  NeighborLevelOptions options;
  options.kind = NeighborRows::kEdges;
  const std::vector<Graph> graphs = {testing::star(5)};
  const LevelCosts costs = estimate_costs(build_neighbor_levels(graphs, options), 1);
  ASSERT_EQ(costs.whole.size(), 3u);
  EXPECT_EQ(costs.plain.rows, 11);
  EXPECT_EQ(costs.whole[2].rows, 3);
  EXPECT_EQ(costs.num_samples, 1u);
  EXPECT_EQ(estimate_costs(build_neighbor_levels({}), 4).num_batches, 0u);
}

}  // namespace
}  // namespace twofold::levels
