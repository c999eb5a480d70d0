#include "twofold/levels/levels.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/levels/color_levels.h"
#include "twofold/levels/neighbor_levels.h"

namespace twofold::levels {
namespace {

// Levels one of whose arrays is replaced by a changed copy.
template <typename Item>
class Damage {
 public:
  explicit Damage(const Levels<Item>& levels) : good_(levels) { good_.check(); }

  // `pick` finds the array, `change` gets a copy of its values.
  template <typename Pick, typename Change>
  void expect_broken(const Pick& pick, const Change& change, const char* sentence) {
    Levels<Item> bad = good_;
    auto& array = pick(bad);
    using Value = typename std::decay_t<decltype(array)>::value_type;
    std::vector<Value> values(array.begin(), array.end());
    change(values);
    array = values;
    EXPECT_THROW(bad.check(), CheckError) << sentence;
  }

 private:
  Levels<Item> good_;
};

template <typename Item>
void expect_shared_sentences(const Levels<Item>& levels) {
  using All = Levels<Item>;
  const std::size_t last = levels.levels.size() - 1;
  Damage<Item> damage(levels);
  const auto first_becomes = [](auto value) { return [=](auto& values) { values[0] = value; }; };
  const auto shorter = [](auto& values) { values.pop_back(); };
  const auto empty = [](auto& values) { values.clear(); };
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[last].own; }, first_becomes(99u), "own is there");
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[last].own; }, shorter, "one own per row");
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[last].origin; }, first_becomes(99u), "origin of own");
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[0].origin; }, first_becomes(1u), "itself at first");
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[last].offsets; }, empty, "there are offsets");
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[last].offsets; }, first_becomes(1u), "from 0");
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[last].offsets; },
      [](auto& values) { values[1] = ~std::uint64_t{0}; }, "ascending");
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[last].items; }, shorter, "items are all there");
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[last].multiplicity; }, first_becomes(0u), "at least 1");
  damage.expect_broken(
      [&](All & x) -> auto& { return x.levels[last].multiplicity; }, first_becomes(0x80000000u), "below 2^31");
  damage.expect_broken(
      [](All & x) -> auto& { return x.initial; }, shorter, "one initial row per row of level 0");
  damage.expect_broken(
      [](All & x) -> auto& { return x.pool_offsets; }, shorter, "one more than graphs");
  damage.expect_broken(
      [](All & x) -> auto& { return x.pool_offsets; }, [](auto& values) { values[1] = ~std::uint64_t{0}; },
      "positions are there");
  damage.expect_broken(
      [](All & x) -> auto& { return x.pool_rows; }, first_becomes(99u), "a row of the last level");
  damage.expect_broken(
      [](All & x) -> auto& { return x.pool_rows; }, [](auto& values) { std::swap(values[0], values[1]); },
      "ascending within a graph");
  damage.expect_broken(
      [](All & x) -> auto& { return x.pool_counts; }, first_becomes(0u), "at least 1");
  damage.expect_broken(
      [](All & x) -> auto& { return x.pool_loops; }, first_becomes(99u), "no more loops than rows");
  damage.expect_broken(
      [](All & x) -> auto& { return x.graph_rows; }, first_becomes(1u), "the sum of the counts");
  damage.expect_broken(
      [](All & x) -> auto& { return x.graph_items; }, shorter, "one per graph");
}

const std::vector<Graph>& two_graphs() {
  static const std::vector<Graph> graphs = {testing::path(4), testing::star(3)};
  return graphs;
}

TEST(Levels, OfPairsCheckEverySentence) {
  const ColorLevels levels = build_color_levels(two_graphs(), pairs::Radius(1));
  expect_shared_sentences(levels);
  Damage<RowPair> damage(levels);
  const auto items = [](ColorLevels & x) -> auto& { return x.levels[1].items; };
  damage.expect_broken(
      items,
      [](auto& values) {
        values[0] = {0, 99};
      },
      "pairs of rows of the level before");
  damage.expect_broken(
      items,
      [](auto& values) {
        values[0] = {1, 0};
      },
      "a <= b");
  damage.expect_broken(
      items, [](auto& values) { values[0] = values[1]; }, "strictly ascending");
}

TEST(Levels, OfNeighborsCheckEverySentence) {
  for (const NeighborRows kind : {NeighborRows::kVertices, NeighborRows::kEdges}) {
    NeighborLevelOptions options;
    options.kind = kind;
    const NeighborLevels levels = build_neighbor_levels(two_graphs(), options);
    expect_shared_sentences(levels);
    Damage<Row> damage(levels);
    const auto items = [](NeighborLevels & x) -> auto& { return x.levels[3].items; };
    damage.expect_broken(
        items, [](auto& values) { values[0] = 99; }, "rows of the level before");
    damage.expect_broken(
        items, [](auto& values) { values.assign(values.size(), 0); }, "strictly ascending");
  }
}

TEST(Levels, WithinARoundHaveNoOwnRows) {
  NeighborLevelOptions options;
  options.kind = NeighborRows::kEdges;
  const NeighborLevels good = build_neighbor_levels(two_graphs(), options);
  good.check();
  EXPECT_EQ(good.num_rounds(), 3u);
  EXPECT_TRUE(good.levels[1].own.empty() && good.levels[1].origin.empty());
  NeighborLevels bad = good;
  bad.levels_per_round = 1;
  EXPECT_THROW(bad.check(), CheckError);
  bad.levels_per_round = 0;
  EXPECT_THROW(bad.check(), CheckError);
  bad = good;
  bad.levels.pop_back();
  EXPECT_THROW(bad.check(), CheckError);
  bad = good;
  bad.levels[1].own = good.levels[2].own;
  EXPECT_THROW(bad.check(), CheckError);
  bad.levels.clear();
  EXPECT_THROW(bad.check(), CheckError);
}

}  // namespace
}  // namespace twofold::levels
