#include "twofold/levels/level_cutter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/support/named_graphs.h"
#include "tests/support/rich_dataset.h"
#include "twofold/base/error.h"
#include "twofold/levels/color_levels.h"
#include "twofold/levels/neighbor_levels.h"

namespace twofold::levels {
namespace {

template <typename Item>
bool same(const BatchLevels<Item>& a, const BatchLevels<Item>& b) {
  bool is_same = a.levels_per_round == b.levels_per_round && a.levels.size() == b.levels.size() &&
                 a.rows == b.rows && a.origins == b.origins && a.pool_offsets == b.pool_offsets &&
                 a.pool_rows == b.pool_rows && a.pool_counts == b.pool_counts && a.pool_loops == b.pool_loops &&
                 a.graph_rows == b.graph_rows && a.graph_loops == b.graph_loops;
  for (std::size_t k = 0; is_same && k < a.levels.size(); ++k)
    is_same = a.levels[k].num_sources == b.levels[k].num_sources && a.levels[k].own == b.levels[k].own &&
              a.levels[k].offsets == b.levels[k].offsets && a.levels[k].items == b.levels[k].items &&
              a.levels[k].multiplicity == b.levels[k].multiplicity;
  return is_same;
}

// The same by looking rows up in a list, one by one: slow and obvious.
template <typename Item>
class PlainCutter {
 public:
  explicit PlainCutter(const Levels<Item>& levels) : levels_(levels) {}

  BatchLevels<Item> cut(Span<const std::size_t> graphs) {
    const std::size_t last = levels_.levels.size() - 1;
    const std::size_t step = levels_.levels_per_round;
    batch_.levels_per_round = step;
    batch_.levels.resize(last);
    batch_.rows.resize(last + 1);
    batch_.origins.resize(last + 1);
    for (const std::size_t g : graphs) {
      std::uint64_t loops = 0;
      for (std::uint64_t at = levels_.pool_offsets[g]; at < levels_.pool_offsets[g + 1]; ++at) {
        batch_.pool_rows.push_back(number(last, levels_.pool_rows[at]));
        batch_.pool_counts.push_back(levels_.pool_counts[at]);
        batch_.pool_loops.push_back(levels_.pool_loops[at]);
        loops += levels_.pool_loops[at];
      }
      batch_.pool_offsets.push_back(batch_.pool_rows.size());
      batch_.graph_rows.push_back(levels_.graph_rows[g]);
      batch_.graph_loops.push_back(loops);
    }
    for (std::size_t k = last; k > 0; --k) {
      const auto& from = levels_.levels[k];
      auto& to = batch_.levels[k - 1];
      for (std::size_t row = 0; row < batch_.rows[k].size(); ++row) {
        const Row old = batch_.rows[k][row];
        if (levels_.has_own(k)) to.own.push_back(number(k - step, from.own[old]));
        for (std::uint64_t at = from.offsets[old]; at < from.offsets[old + std::size_t{1}]; ++at) {
          to.items.push_back(number(k - 1, from.items[at]));
          to.multiplicity.push_back(from.multiplicity[at]);
        }
        to.offsets.push_back(to.items.size());
      }
    }
    for (std::size_t k = 0; k <= last; ++k) {
      if (k > 0) batch_.levels[k - 1].num_sources = batch_.rows[k - 1].size();
      if (!levels_.has_own(k)) continue;
      for (const Row row : batch_.rows[k])
        batch_.origins[k].push_back(number(0, levels_.levels[k].origin[row]));
    }
    return batch_;
  }

 private:
  Row number(std::size_t level, Row row) {
    std::vector<Row>& rows = batch_.rows[level];
    const auto found = std::find(rows.begin(), rows.end(), row);
    if (found != rows.end()) return static_cast<Row>(found - rows.begin());
    rows.push_back(row);
    return static_cast<Row>(rows.size() - 1);
  }
  RowPair number(std::size_t level, RowPair pair) {
    const Row a = number(level, pair.a);
    return {a, number(level, pair.b)};
  }

  const Levels<Item>& levels_;
  BatchLevels<Item> batch_;
};

template <typename Item>
void expect_plain_batches(const Levels<Item>& levels, std::uint64_t seed) {
  levels.check();
  Cutter<Item> cutter(levels);
  BatchLevels<Item> batch;
  Random random(seed);
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<std::size_t> graphs(random.below(7));
    for (std::size_t& g : graphs) g = random.below(levels.num_graphs());
    cutter.cut(graphs, batch);
    batch.check();
    EXPECT_TRUE(same(batch, PlainCutter<Item>(levels).cut(graphs))) << "seed " << seed << ", batch " << trial;
  }
}

TEST(Cutter, NumbersRowsByFirstSightWhateverItCutBefore) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const std::vector<Graph> graphs = testing::rich_dataset(seed).graphs;
    ColorLevelOptions of_pairs;
    of_pairs.rounds = static_cast<int>(seed % 4);
    of_pairs.threads = 1;
    expect_plain_batches(build_color_levels(graphs, pairs::Radius(static_cast<int>(1 + seed % 3)), of_pairs),
                         seed);
    for (const NeighborRows kind : {NeighborRows::kVertices, NeighborRows::kEdges}) {
      NeighborLevelOptions of_neighbors;
      of_neighbors.rounds = static_cast<int>(seed % 4);
      of_neighbors.kind = kind;
      expect_plain_batches(build_neighbor_levels(graphs, of_neighbors), seed);
    }
  }
}

TEST(Cutter, RefusesAGraphThatIsNotThere) {
  const NeighborLevels levels = build_neighbor_levels(std::vector<Graph>{testing::path(3)});
  Cutter<Row> cutter(levels);
  BatchLevels<Row> batch;
  EXPECT_THROW(cutter.cut(std::vector<std::size_t>{0, 1}, batch), CheckError);
  cutter.cut(std::vector<std::size_t>{0, 0}, batch);
  batch.check();
}

template <typename Item>
void expect_broken(const BatchLevels<Item>& good, const std::function<void(BatchLevels<Item>&)>& damage,
                   const char* what) {
  BatchLevels<Item> bad = good;
  damage(bad);
  EXPECT_THROW(bad.check(), CheckError) << what;
}

TEST(BatchLevels, CheckEverySentence) {
  NeighborLevelOptions options;
  options.kind = NeighborRows::kEdges;
  const NeighborLevels levels = build_neighbor_levels(std::vector<Graph>{testing::path(4)}, options);
  Cutter<Row> cutter(levels);
  BatchLevels<Row> good;
  cutter.cut(std::vector<std::size_t>{0}, good);
  good.check();
  using Batch = BatchLevels<Row>;
  expect_broken<Row>(
      good, [](Batch& b) { b.levels_per_round = 1; }, "a vertex has no own row");
  expect_broken<Row>(
      good, [](Batch& b) { b.rows.pop_back(); }, "rows of every level");
  expect_broken<Row>(
      good, [](Batch& b) { b.origins[0][1] = 0; }, "the first level's origins");
  expect_broken<Row>(
      good, [](Batch& b) { b.origins[2][1] = 7; }, "origins follow own rows");
  expect_broken<Row>(
      good, [](Batch& b) { b.levels[1].own[0] = 99; }, "own rows are there");
  expect_broken<Row>(
      good, [](Batch& b) { b.levels[0].own.assign(b.num_rows(1), 0); }, "no own within a round");
  expect_broken<Row>(
      good, [](Batch& b) { b.levels[0].items[0] = 99; }, "items are there");
  expect_broken<Row>(
      good, [](Batch& b) { b.levels[0].multiplicity.pop_back(); }, "multiplicities are parallel");
  expect_broken<Row>(
      good, [](Batch& b) { b.levels[0].num_sources += 1; }, "sources are the level before");
  expect_broken<Row>(
      good, [](Batch& b) { b.levels[0].offsets[1] = 99; }, "offsets ascend");
  expect_broken<Row>(
      good, [](Batch& b) { b.pool_rows[0] = 99; }, "pooled rows are there");
  expect_broken<Row>(
      good, [](Batch& b) { b.pool_loops[0] = 99; }, "no more loops than rows");
  expect_broken<Row>(
      good, [](Batch& b) { b.graph_rows[0] += 1; }, "counts sum up to rows");
  expect_broken<Row>(
      good, [](Batch& b) { b.graph_loops[0] += 1; }, "loops sum up");
}

}  // namespace
}  // namespace twofold::levels
