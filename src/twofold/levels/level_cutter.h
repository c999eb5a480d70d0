#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/levels/color_levels.h"
#include "twofold/pairs/level.h"

namespace twofold::levels {

/// The colors that some graphs need, renumbered from 0: all that a network reads of a batch.
struct BatchLevels {
  // One a round, 1…T: levels[k-1] maps the rows of level k-1 to those of level k. Reverse lists are filled in
  // unless they were not asked for.
  std::vector<pairs::Level> levels;
  // For levels 0…T, one a row: its row in the dataset's level. rows[0] tells the initial features.
  std::vector<std::vector<Row>> rows;
  // For levels 0…T, one a row: its row on level 0 of the batch (for jumping knowledge).
  std::vector<std::vector<Row>> origins;
  // One more than there are graphs, ascending from 0: positions in the next three, as in ColorLevels, but in no
  // particular order within a graph.
  std::vector<std::uint64_t> pool_offsets = {0};
  std::vector<Row> pool_rows;
  std::vector<std::uint64_t> pool_counts;
  std::vector<std::uint32_t> pool_loops;
  // One a graph: its pairs, loops alone, in all: what a mean divides by.
  std::vector<std::uint64_t> graph_rows;
  std::vector<std::uint64_t> graph_loops;

  std::size_t num_graphs() const { return pool_offsets.size() - 1; }
  std::size_t num_rounds() const { return levels.size(); }
  std::size_t num_rows(std::size_t level) const { return rows[level].size(); }
  /// Throws CheckError unless every sentence above holds. O(size).
  void check() const;
};

/// Cuts batches out of a dataset's levels by following numbers from the last level down: nothing is compared.
///
/// Keeps its buffers, so cut batches with one object, and let it write to the same BatchLevels. It refers to
/// the levels, which must outlive it. 8 bytes a color in all levels. One object belongs to one thread.
class LevelCutter {
 public:
  explicit LevelCutter(const ColorLevels& levels);

  /// The levels of these graphs, in this order; a graph may come twice. Without `reverse`, the lists for
  /// gradients are left out. O(size of the result). No graphs give levels without rows.
  void cut(Span<const std::size_t> graphs, BatchLevels& batch, bool reverse = true);

 private:
  void cut_pool(Span<const std::size_t> graphs, BatchLevels& batch);
  void cut_level(std::size_t k, BatchLevels& batch, bool reverse);
  void reverse_level(pairs::Level& level);

  const ColorLevels& levels_;
  // For each level, one a row of the dataset: its number in the batch, or kNoRow; and room for the rows that
  // have a number, in the order of their numbers, of which there are found_count_.
  std::vector<std::vector<Row>> number_;
  std::vector<std::vector<Row>> found_;
  std::vector<std::size_t> found_count_;
  // One a source of the level being cut: its reverse entries, then where the next of them goes.
  std::vector<std::uint64_t> reverse_count_;
};

}  // namespace twofold::levels
