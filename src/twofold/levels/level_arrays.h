#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/levels/level_table.h"
#include "twofold/levels/levels.h"

namespace twofold::levels {

/// How many rows of a graph have a color, and how many of those are loops.
struct ColorCount {
  Row color;
  std::uint32_t loops;
  std::uint64_t rows;
};

/// Each color once, in ascending order.
inline void add_up(std::vector<ColorCount>& counts) {
  std::sort(counts.begin(), counts.end(),
            [](const ColorCount& x, const ColorCount& y) { return x.color < y.color; });
  std::size_t size = 0;
  for (std::size_t k = 0; k < counts.size();) {
    ColorCount sum = counts[k];
    for (++k; k < counts.size() && counts[k].color == sum.color; ++k) {
      sum.loops += counts[k].loops;
      sum.rows += counts[k].rows;
    }
    counts[size++] = sum;
  }
  counts.resize(size);
}

/// The arrays of Levels<Item> while they grow, and the storage of the finished levels.
template <typename Item>
struct LevelArrays {
  explicit LevelArrays(std::size_t num_levels) : levels(num_levels), origins(num_levels) {
    pool_offsets.push_back(0);
  }

  /// Every initial color is its own origin.
  void take_in_initial(std::size_t num_initial) {
    while (origins[0].size() < num_initial) origins[0].push_back(static_cast<Row>(origins[0].size()));
  }
  /// The next graph: the colors of its rows on the last level, as add_up leaves them.
  void add_graph(const std::vector<ColorCount>& counts, std::uint64_t num_items) {
    std::uint64_t num_rows = 0;
    for (const ColorCount& sum : counts) {
      pool_rows.push_back(sum.color);
      pool_counts.push_back(sum.rows);
      pool_loops.push_back(sum.loops);
      num_rows += sum.rows;
    }
    pool_offsets.push_back(pool_rows.size());
    graph_rows.push_back(num_rows);
    graph_items.push_back(num_items);
  }
  /// Of origins and pools.
  std::uint64_t bytes() const {
    std::uint64_t sum =
        pool_rows.bytes() + pool_counts.bytes() + pool_loops.bytes() + loop_rows.bytes() + pair_rows.bytes();
    for (const GrowingArray<Row>& origin : origins) sum += origin.bytes();
    return sum;
  }

  std::vector<typename LevelTable<Item>::Arrays> levels;
  std::vector<GrowingArray<Row>> origins;
  GrowingArray<InitialRow> initial;
  GrowingArray<std::uint64_t> pool_offsets;
  GrowingArray<Row> pool_rows;
  GrowingArray<std::uint64_t> pool_counts;
  GrowingArray<std::uint32_t> pool_loops;
  GrowingArray<std::uint64_t> graph_rows;
  GrowingArray<std::uint64_t> graph_items;
  GrowingArray<Row> loop_rows;
  GrowingArray<Row> pair_rows;
};

/// The levels whose storage the arrays are from now on. `tables` are those of levels 1…; they are emptied.
template <typename Item>
Levels<Item> finish_levels(std::shared_ptr<LevelArrays<Item>> arrays, GrowingArray<InitialRow> initial,
                           std::vector<LevelTable<Item>>& tables, std::size_t levels_per_round) {
  Levels<Item> result;
  result.levels_per_round = levels_per_round;
  arrays->initial = std::move(initial);
  for (std::size_t row = 0; row <= arrays->initial.size(); ++row) arrays->levels[0].offsets.push_back(0);
  for (std::size_t k = 0; k < arrays->levels.size(); ++k) {
    typename LevelTable<Item>::Arrays& of_level = arrays->levels[k];
    if (k > 0) of_level = tables[k - 1].take();
    result.levels.push_back({of_level.own.view(), arrays->origins[k].view(), of_level.offsets.view(),
                             of_level.items.view(), of_level.multiplicity.view()});
    if (!result.has_own(k)) result.levels[k].own = {};
  }
  result.initial = arrays->initial.view();
  result.pool_offsets = arrays->pool_offsets.view();
  result.pool_rows = arrays->pool_rows.view();
  result.pool_counts = arrays->pool_counts.view();
  result.pool_loops = arrays->pool_loops.view();
  result.graph_rows = arrays->graph_rows.view();
  result.graph_items = arrays->graph_items.view();
  result.loop_rows = arrays->loop_rows.view();
  result.pair_rows = arrays->pair_rows.view();
  result.storage = std::move(arrays);
  return result;
}

}  // namespace twofold::levels
