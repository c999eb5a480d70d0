#include "twofold/levels/level_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "tests/support/level_oracle.h"
#include "tests/support/named_graphs.h"
#include "tests/support/neighbor_oracle.h"
#include "tests/support/rich_dataset.h"
#include "twofold/base/error.h"

namespace twofold::levels {
namespace {

using Values = std::vector<std::uint64_t>;

// Graphs with repetitions; the first batch has all of them.
std::vector<std::size_t> some_graphs(std::size_t num_graphs, int batch, Random& random) {
  std::vector<std::size_t> some(batch == 0 ? num_graphs : random.below(6));
  for (std::size_t at = 0; at < some.size(); ++at) some[at] = batch == 0 ? at : random.below(num_graphs);
  return some;
}

testing::PooledSums sums_of(const LevelPool& pool, std::size_t g, const Values& values) {
  testing::PooledSums sums;
  for (std::uint64_t k = pool.offsets[g]; k < pool.offsets[g + 1]; ++k) {
    sums.rows += pool.counts[k] * values[pool.rows[k]];
    sums.loops += pool.loops[k] * values[pool.rows[k]];
  }
  return sums;
}

void expect_counts(const LevelPool& pool, std::size_t num_rows) {
  pool.check(num_rows);
  Values counts = {7};
  count_rows(pool, num_rows, counts);
  ASSERT_EQ(counts.size(), num_rows);
  Values expected(num_rows, 0);
  for (std::size_t g = 0; g < pool.num_graphs(); ++g)
    for (std::uint64_t k = pool.offsets[g]; k < pool.offsets[g + 1]; ++k)
      expected[pool.rows[k]] += pool.counts[k];
  EXPECT_EQ(counts, expected);
}

TEST(LevelPool, OfPairsPoolsOnEveryLevelWhatTheRowsPoolAfterAsManyRounds) {
  constexpr int kRounds = 3;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const std::vector<Graph> graphs = testing::rich_dataset(seed).graphs;
    const pairs::Radius radius(static_cast<int>(1 + seed % 2));
    ColorLevelOptions options;
    options.rounds = kRounds;
    options.threads = 1;
    const ColorLevels levels = build_color_levels(graphs, radius, options);
    const Values initial = testing::initial_values(levels, graphs, true, true);
    std::vector<std::vector<testing::PooledSums>> expected;
    for (int k = 0; k <= kRounds; ++k) expected.push_back(testing::plain_sums(graphs, radius, k, true, true));
    Cutter<RowPair> cutter(levels);
    BatchLevels<RowPair> batch;
    std::vector<LevelPool> pools(kRounds + 1);
    Random random(seed);
    for (int trial = 0; trial < 4; ++trial) {
      const std::vector<std::size_t> some = some_graphs(graphs.size(), trial, random);
      cutter.cut(some, batch);
      const std::vector<Values> values = testing::level_values(batch, initial);
      pool_of_last(batch, pools[kRounds]);
      for (std::size_t k = kRounds + 1; k-- > 0;) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", level " + std::to_string(k));
        expect_counts(pools[k], batch.num_rows(k));
        ASSERT_EQ(pools[k].num_graphs(), some.size());
        for (std::size_t g = 0; g < some.size(); ++g)
          EXPECT_TRUE(sums_of(pools[k], g, values[k]) == expected[k][some[g]]) << "graph " << some[g];
        if (k > 0) pool_before(pools[k], batch.levels[k - 1].own, batch.num_rows(k - 1), pools[k - 1]);
      }
    }
  }
}

TEST(LevelPool, OfNeighborsPoolsOnEveryLevelWhatTheRowsPoolAfterAsManyRounds) {
  constexpr int kRounds = 3;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const std::vector<Graph> graphs = testing::rich_dataset(seed).graphs;
    NeighborLevelOptions options;
    options.rounds = kRounds;
    const bool is_edges = seed % 2 == 1;
    options.kind = is_edges ? NeighborRows::kEdges : NeighborRows::kVertices;
    const NeighborLevels levels = build_neighbor_levels(graphs, options);
    const std::size_t step = is_edges ? 2 : 1;
    Cutter<Row> cutter(levels);
    BatchLevels<Row> batch;
    std::vector<LevelPool> pools(kRounds + 1);
    Random random(seed);
    for (int trial = 0; trial < 4; ++trial) {
      const std::vector<std::size_t> some = some_graphs(graphs.size(), trial, random);
      cutter.cut(some, batch);
      const std::vector<Values> values = testing::neighbor_values(batch, levels, graphs, true, false);
      pool_of_last(batch, pools[kRounds]);
      for (std::size_t round = kRounds + 1; round-- > 0;) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
        const std::size_t k = round * step;
        const auto rounds = static_cast<int>(round);
        expect_counts(pools[round], batch.num_rows(k));
        for (std::size_t at = 0; at < some.size(); ++at) {
          const Graph& g = graphs[some[at]];
          testing::PooledSums expected;
          expected.rows = is_edges ? testing::plain_edge_sum(g, rounds, false)
                                   : testing::plain_vertex_sum(g, rounds, true, false);
          expected.loops = is_edges ? testing::plain_edge_sum(g, rounds, true) : expected.rows;
          EXPECT_TRUE(sums_of(pools[round], at, values[k]) == expected) << "graph " << some[at];
        }
        if (round > 0)
          pool_before(pools[round], batch.levels[k - 1].own, batch.num_rows(k - step), pools[round - 1]);
      }
    }
  }
}

TEST(LevelPool, OfTheFirstLevelCountsTheNodesOfEveryLabel) {
  Random random(5);
  std::vector<Graph> graphs;
  for (int k = 0; k < 8; ++k) graphs.push_back(testing::random_graph(random, 3 + random.below(20), 0.2, 3));
  const NeighborLevels levels = build_neighbor_levels(graphs);
  Cutter<Row> cutter(levels);
  BatchLevels<Row> batch;
  std::vector<std::size_t> all(graphs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  cutter.cut(all, batch);
  LevelPool pool, before;
  pool_of_last(batch, pool);
  for (std::size_t k = batch.levels.size(); k > 0; --k, std::swap(pool, before))
    pool_before(pool, batch.levels[k - 1].own, batch.num_rows(k - 1), before);
  const auto label_of = [&](Row row) {
    const InitialRow& first = levels.initial[batch.rows[0][row]];
    return graphs[first.graph].node_labels()[first.u];
  };
  std::map<Label, std::uint64_t> in_all;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    std::map<Label, std::uint64_t> expected, found;
    for (const Label label : graphs[g].node_labels()) {
      ++expected[label];
      ++in_all[label];
    }
    for (std::uint64_t k = pool.offsets[g]; k < pool.offsets[g + 1]; ++k)
      found[label_of(pool.rows[k])] += pool.counts[k];
    EXPECT_EQ(found, expected) << "graph " << g;
  }
  Values counts;
  count_rows(pool, batch.num_rows(0), counts);
  for (Row row = 0; row < counts.size(); ++row) EXPECT_EQ(counts[row], in_all[label_of(row)]);
}

TEST(LevelPool, BeforeHasTheRowsOfAGraphInTheOrderInWhichTheyAreLedToFirst) {
  LevelPool after;
  after.offsets = {0, 3, 3, 5};
  after.rows = {2, 0, 1, 1, 2};
  after.counts = {10, 1, 5, 7, 8};
  after.loops = {4, 0, 5, 0, 1};
  const std::vector<Row> own = {3, 0, 3};
  LevelPool before;
  for (int again = 0; again < 2; ++again) {
    pool_before(after, own, 4, before);
    before.check(4);
    EXPECT_EQ(before.offsets, (Values{0, 2, 2, 4}));
    EXPECT_EQ(before.rows, (std::vector<Row>{3, 0, 0, 3}));
    EXPECT_EQ(before.counts, (Values{11, 5, 7, 8}));
    EXPECT_EQ(before.loops, (std::vector<std::uint32_t>{4, 5, 0, 1}));
  }
  Values counts;
  count_rows(before, 4, counts);
  EXPECT_EQ(counts, (Values{12, 0, 0, 19}));
}

TEST(LevelPool, OfNoGraphsIsEmpty) {
  LevelPool before;
  pool_before(LevelPool(), {}, 0, before);
  before.check(0);
  EXPECT_EQ(before.num_graphs(), 0u);
  Values counts = {1};
  count_rows(before, 0, counts);
  EXPECT_TRUE(counts.empty());
}

TEST(LevelPool, ChecksThatARowComesOncePerGraphAndCounts) {
  LevelPool pool;
  pool.offsets = {0, 2};
  pool.rows = {1, 0};
  pool.counts = {1, 2};
  pool.loops = {1, 0};
  pool.check(2);
  EXPECT_THROW(pool.check(1), CheckError);
  LevelPool twice = pool;
  twice.rows = {1, 1};
  EXPECT_THROW(twice.check(2), CheckError);
  LevelPool none = pool;
  none.counts[1] = 0;
  EXPECT_THROW(none.check(2), CheckError);
  LevelPool loops = pool;
  loops.loops[1] = 3;
  EXPECT_THROW(loops.check(2), CheckError);
}

}  // namespace
}  // namespace twofold::levels
