#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/pairs/level.h"

namespace twofold::levels {

using pairs::Row;
using pairs::RowPair;

/// A pair of nodes with the initial features of a row of level 0. u == v on loops.
struct InitialRow {
  std::uint32_t graph;
  Node u;
  Node v;
  // Of enum pairs::RowKind.
  std::uint32_t kind;
};
inline bool operator==(InitialRow a, InitialRow b) {
  return a.graph == b.graph && a.u == b.u && a.v == b.v && a.kind == b.kind;
}

/// All rows of a dataset up to the color that T rounds give them: a network of T layers computes the same
/// features for all rows of one color, whatever its weights, so it need only compute one of each
/// (docs/colors.md). Exact: rows are merged after comparing all they consist of.
///
/// Item is what a layer adds up: RowPair, the triples of the 2-WL convolution (ColorLevels), or Row, neighbors
/// (NeighborLevels). The arrays lie in `storage`: memory, or a file that is mapped. Copies share them. Reading
/// from several threads is safe.
template <typename Item>
struct Levels {
  /// The rows of one level: one for every color that the rows of all graphs together have there, numbered by
  /// first sight.
  struct Level {
    // One per row: the color it had a round earlier, levels_per_round levels before. Empty on level 0 and on
    // levels within a round.
    Span<const Row> own;
    // One per row: the color it had at the start (for jumping knowledge). On level 0 the row itself; empty on
    // levels within a round.
    Span<const Row> origin;
    // One more than there are rows, ascending from 0: positions in the next two. All 0 on level 0.
    Span<const std::uint64_t> offsets;
    // Rows of the level before, or pairs a <= b of them, strictly ascending by (a, b) within a row …
    Span<const Item> items;
    // … and how often each counts, 1…2^31-1.
    Span<const std::uint32_t> multiplicity;

    std::size_t num_rows() const { return offsets.size() - 1; }
  };

  // 1, or 2 where a round goes over rows of another kind and back.
  std::size_t levels_per_round = 1;
  // Levels 0…T times levels_per_round.
  std::vector<Level> levels;
  // One per row of level 0: the first row that had these features.
  Span<const InitialRow> initial;
  // One more than there are graphs, ascending from 0: positions in the next three.
  Span<const std::uint64_t> pool_offsets;
  // A graph's rows of the last level, strictly ascending …
  Span<const Row> pool_rows;
  // … how many rows of the graph are of that color, at least 1 …
  Span<const std::uint64_t> pool_counts;
  // … and how many of those are loops.
  Span<const std::uint32_t> pool_loops;
  // One per graph: its rows, and the items that they have in one round, if nothing were merged.
  Span<const std::uint64_t> graph_rows;
  Span<const std::uint64_t> graph_items;

  // Empty unless asked for; else one per node of all graphs, in order: the row of the last level that it (or
  // its loop) is of.
  Span<const Row> loop_rows;
  // Empty unless asked for; else one per pair that was asked about, in their order: its row of the last level,
  // or kNoRow where it has none.
  Span<const Row> pair_rows;

  std::shared_ptr<const void> storage;

  std::size_t num_graphs() const { return graph_rows.size(); }
  std::size_t num_rounds() const { return (levels.size() - 1) / levels_per_round; }
  /// Whether level k > 0 ends a round: it then has own rows.
  bool has_own(std::size_t k) const { return k % levels_per_round == 0; }
  /// Bytes of the arrays.
  std::uint64_t memory() const;
  /// Throws CheckError unless every sentence above holds (`initial` aside). O(memory).
  void check() const;
};

/// Finds the levels of graphs that come in blocks: the same, to the byte, as of all graphs together.
template <typename Item>
class LevelBuilder {
 public:
  virtual ~LevelBuilder() = default;
  /// The next graphs. They are not looked at again.
  virtual void add(Span<const Graph> graphs) = 0;
  /// After the last.
  virtual Levels<Item> finish() = 0;
};

}  // namespace twofold::levels
