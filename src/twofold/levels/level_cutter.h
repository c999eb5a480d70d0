#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/levels/levels.h"

namespace twofold::levels {

/// The colors that some graphs need, renumbered from 0: all that a network reads of a batch. Item is that of
/// the levels they come from.
template <typename Item>
struct BatchLevels {
  using Level = pairs::LevelOf<Item>;

  // As in Levels.
  std::size_t levels_per_round = 1;
  // levels[k-1] gives the rows of level k: items are on level k-1, own rows levels_per_round levels before k.
  // Levels within a round have no own rows.
  std::vector<Level> levels;
  // For every level, one per row: its row in the dataset's level. rows[0] tells the initial features.
  std::vector<std::vector<Row>> rows;
  // For every level, one per row: its row on level 0 of the batch (for jumping knowledge). Empty for levels
  // within a round.
  std::vector<std::vector<Row>> origins;
  // One more than there are graphs, ascending from 0: positions in the next three, as in Levels, but in no
  // particular order within a graph. (For other levels than the last: level_pool.h.)
  std::vector<std::uint64_t> pool_offsets = {0};
  std::vector<Row> pool_rows;
  std::vector<std::uint64_t> pool_counts;
  std::vector<std::uint32_t> pool_loops;
  // One per graph: its rows, loops alone, in all: what a mean divides by.
  std::vector<std::uint64_t> graph_rows;
  std::vector<std::uint64_t> graph_loops;

  std::size_t num_graphs() const { return pool_offsets.size() - 1; }
  std::size_t num_rounds() const { return levels.size() / levels_per_round; }
  std::size_t num_rows(std::size_t level) const { return rows[level].size(); }
  /// As in Levels.
  bool has_own(std::size_t k) const { return k % levels_per_round == 0; }
  /// Throws CheckError unless every sentence above holds. O(size).
  void check() const;
};

/// Cuts batches out of a dataset's levels by following numbers from the last level down: nothing is compared.
///
/// Keeps its buffers, so cut batches with one object, and let it write to the same BatchLevels. It refers to
/// the levels, which must outlive it. 8 bytes per color in all levels. One object belongs to one thread.
template <typename Item>
class Cutter {
 public:
  explicit Cutter(const Levels<Item>& levels);

  /// The levels of these graphs, in this order; a graph may come twice. O(size of the result). No graphs give
  /// levels without rows.
  void cut(Span<const std::size_t> graphs, BatchLevels<Item>& batch);

 private:
  void cut_pool(Span<const std::size_t> graphs, BatchLevels<Item>& batch);
  void cut_level(std::size_t k, BatchLevels<Item>& batch);

  const Levels<Item>& levels_;
  // For each level, one per row of the dataset: its number in the batch, or kNoRow; and room for the rows that
  // have a number, in the order of their numbers, of which there are found_count_.
  std::vector<std::vector<Row>> number_;
  std::vector<std::vector<Row>> found_;
  std::vector<std::size_t> found_count_;
};

}  // namespace twofold::levels
