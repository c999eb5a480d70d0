#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/levels/color_levels.h"

namespace twofold::levels {

/// What a learner that sums over neighbors computes features of.
enum class NeighborRows {
  kVertices,  // gin, gcn, sage: nodes; a sum over the neighbors
  kEdges,     // 2-gnn: loops and edges; a sum over the neighbors in the edge neighborhood graph
};

/// The different colors of one step. All refer to levels before; see NeighborLevels for which.
struct NeighborColorLevel {
  // One a row, or empty: the row it goes on from.
  Span<const Row> own;
  // One a row: the initial color. Empty where own is, but on level 0, where it is the row itself.
  Span<const Row> origin;
  // One more than there are rows, ascending from 0: positions in the next two.
  Span<const std::uint64_t> offsets;
  // Rows of the level before, strictly ascending within a row …
  Span<const Row> sources;
  // … and how often each counts, at least 1.
  Span<const std::uint32_t> multiplicity;

  std::size_t num_rows() const { return offsets.size() - 1; }
};

/// As ColorLevels, for learners whose layers add up neighbors: rows of one color hold the same features.
///
/// kVertices: level k has the nodes' colors after k rounds (1-WL): own and sources are on level k-1.
///
/// kEdges: a round is two levels, because its neighbors are too many to be listed one by one. Level 2k-1 is
/// about vertices: no own row, the sources are the loop and the edges at a vertex, on level 2k-2. Level 2k has
/// the loops' and edges' colors after k rounds: own on level 2k-2, the sources (on level 2k-1) are the row's
/// end nodes, one for a loop, two for an edge. The neighbors of a row are all at its ends but itself, once an
/// end. So with y = (own features) W and S[v] = Σ y[sources of v], its sum over neighbors is Σ over its ends v
/// of (S[v] − y[own]). Colors may be finer than 2-gnn's by telling which end a neighbor is at; that costs rows,
/// not exactness.
struct NeighborLevels {
  NeighborRows kind = NeighborRows::kVertices;
  // Levels 0…T, or 0…2T.
  std::vector<NeighborColorLevel> levels;
  // One a row of level 0: the first node (as a loop), or loop or edge, that had these features.
  Span<const InitialRow> initial;
  // As in ColorLevels, on the last level. For nodes, all of them count as loops.
  Span<const std::uint64_t> pool_offsets;
  Span<const Row> pool_rows;
  Span<const std::uint64_t> pool_counts;
  Span<const std::uint32_t> pool_loops;
  // One a graph: its rows, and the entries that its sums have in one round (both levels of one), if nothing
  // were merged.
  Span<const std::uint64_t> graph_rows;
  Span<const std::uint64_t> graph_references;

  std::shared_ptr<const void> storage;

  std::size_t num_graphs() const { return graph_rows.size(); }
  std::size_t num_rounds() const { return (levels.size() - 1) / levels_a_round(); }
  std::size_t levels_a_round() const { return kind == NeighborRows::kEdges ? 2 : 1; }
  /// Whether level k > 0 has own rows; they are then on level k - levels_a_round().
  bool has_own(std::size_t k) const { return k % levels_a_round() == 0; }
  std::uint64_t memory() const;
  /// Throws CheckError unless every sentence above holds (`initial` aside). O(memory).
  void check() const;
};

struct NeighborLevelOptions {
  NeighborRows kind = NeighborRows::kVertices;
  int rounds = 3;
  /// kVertices: a node with a self-loop in the input is its own neighbor (gin sees it so).
  bool self_loops = true;
  /// kVertices: the number of neighbors joins the initial color, for learners that divide by it (gcn): the
  /// weight of an edge is then a function of its ends' colors.
  bool degrees = false;
  /// kEdges: as in pairs::feature_layout.
  bool indicators = true;
  AttributeUse attributes = AttributeUse::kFloat;
  /// In bytes; 0: nine tenths of what the process may have. More is an Error that names need and limit.
  std::uint64_t max_memory = 0;
};

/// The levels of all graphs together. O(T (n + m)) and sorting each node's neighbors; one thread. No graphs
/// give levels without rows. Throws InputError where graphs differ in what features they have.
NeighborLevels build_neighbor_levels(Span<const Graph> graphs, const NeighborLevelOptions& options = {});

}  // namespace twofold::levels
