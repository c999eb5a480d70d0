#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/levels/neighbor_levels.h"

namespace twofold::levels {

/// How the rows of one level come from rows of levels before, by sums: a sparse matrix of small whole numbers,
/// with its transpose for gradients.
struct NeighborLevel {
  // Rows of the level before, and of the level that own is about (0 without own).
  std::size_t num_sources = 0;
  std::size_t num_own = 0;
  // One a row, or empty.
  std::vector<Row> own;
  // One more than there are rows, ascending from 0: positions in the next two.
  std::vector<std::uint64_t> offsets = {0};
  std::vector<Row> sources;
  std::vector<std::uint32_t> multiplicity;
  // The same turned around: num_sources + 1 ascending positions in the next two; rows ascending within a
  // source.
  std::vector<std::uint64_t> reverse_offsets = {0};
  std::vector<Row> reverse;
  std::vector<std::uint32_t> reverse_multiplicity;

  std::size_t num_rows() const { return offsets.size() - 1; }
  /// Throws CheckError unless every sentence above holds. O(size).
  void check() const;
};

/// As BatchLevels, for neighbor sums: levels[k-1] gives the rows of level k. Which levels own and sources are
/// on: NeighborLevels.
struct NeighborBatch {
  NeighborRows kind = NeighborRows::kVertices;
  std::vector<NeighborLevel> levels;
  // For every level, one a row: its row in the dataset's level. rows[0] tells the initial features.
  std::vector<std::vector<Row>> rows;
  // For every level, one a row: its row on level 0 of the batch. Empty for levels of kEdges about vertices.
  std::vector<std::vector<Row>> origins;
  // As in BatchLevels.
  std::vector<std::uint64_t> pool_offsets = {0};
  std::vector<Row> pool_rows;
  std::vector<std::uint64_t> pool_counts;
  std::vector<std::uint32_t> pool_loops;
  std::vector<std::uint64_t> graph_rows;
  std::vector<std::uint64_t> graph_loops;

  std::size_t num_graphs() const { return pool_offsets.size() - 1; }
  std::size_t num_rows(std::size_t level) const { return rows[level].size(); }
  /// Throws CheckError unless every sentence above holds. O(size).
  void check() const;
};

/// As LevelCutter.
class NeighborCutter {
 public:
  explicit NeighborCutter(const NeighborLevels& levels);
  void cut(Span<const std::size_t> graphs, NeighborBatch& batch, bool reverse = true);

 private:
  Row number(std::size_t level, Row row, std::vector<Row>& rows);
  void cut_level(std::size_t k, NeighborBatch& batch);
  void reverse_level(NeighborLevel& level);

  const NeighborLevels& levels_;
  // For each level, one a row of the dataset: its number in the batch, or kNoRow.
  std::vector<std::vector<Row>> number_;
  std::vector<std::uint64_t> reverse_end_;
};

}  // namespace twofold::levels
