#pragma once

#include <cstdint>
#include <memory>

#include "twofold/levels/color_levels.h"

namespace twofold::levels {

/// What a learner that sums over neighbors computes features of.
enum class NeighborRows {
  kVertices,  // gin, gcn, sage: nodes; a sum over the neighbors
  kEdges,     // 2-gnn: loops and edges; a sum over the neighbors in the edge neighborhood graph
};

/// As ColorLevels, for learners whose layers add up neighbors; items are rows of the level before.
///
/// kVertices: level k has the nodes' colors after k rounds (1-WL). All nodes count as loops.
///
/// kEdges: a round is two levels, because its neighbors are too many to be listed one by one. Level 2k-1 is
/// about vertices: no own row, the items are the loop and the edges at a vertex, on level 2k-2. Level 2k has
/// the loops' and edges' colors after k rounds: own on level 2k-2, the items (on level 2k-1) are the row's
/// end nodes, one for a loop, two for an edge. The neighbors of a row are all at its ends but itself, once an
/// end. So with y = (own features) W and S[v] = Σ y[items of v], its sum over neighbors is Σ over its ends v
/// of (S[v] − y[own]). Colors may be finer than 2-gnn's by telling which end a neighbor is at; that costs rows,
/// not exactness. (graph_items are those of both levels of a round.)
using NeighborLevels = Levels<Row>;

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
  /// As in ColorLevelOptions; `pairs` of kEdges, `node_times` of kVertices.
  bool loop_rows = false;
  Span<const twofold::Item> pairs = {};
  Span<const std::vector<std::uint32_t>> node_times = {};
  /// 0: all there are. Changes nothing in the result.
  int threads = 0;
  /// In bytes; 0: nine tenths of what the process may have. More is an Error that names need and limit.
  std::uint64_t max_memory = 0;
};

/// The levels of all graphs together. O(T (n + m)) and sorting each node's neighbors. No graphs give levels
/// without rows. Throws InputError where graphs differ in what features they have.
NeighborLevels build_neighbor_levels(Span<const Graph> graphs, const NeighborLevelOptions& options = {});

/// The same of `num_graphs` graphs that come in blocks. `layout` has the labels and attributes of all of them.
/// What `options` refer to must outlive the builder.
std::unique_ptr<LevelBuilder<Row>> neighbor_level_builder(const pairs::FeatureLayout& layout,
                                                          std::size_t num_graphs,
                                                          const NeighborLevelOptions& options = {});

}  // namespace twofold::levels
