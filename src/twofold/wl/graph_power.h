#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"

namespace twofold::wl {

/// G^r as lists: around every node the nodes at distance <= r, itself included.
struct GraphPower {
  // n + 1 ascending positions in `nodes`.
  std::vector<std::size_t> offsets = {0};
  // At offsets[v]…offsets[v+1]: the nodes at distance <= r from v, ascending.
  std::vector<Node> nodes;
  // Parallel to `nodes`: the number of the row {v, nodes[…]}; rows are numbered in ascending order of (i, j), i
  // <= j.
  std::vector<std::uint32_t> rows;
  std::size_t num_rows = 0;

  Span<const Node> ball(Node v) const { return {nodes.data() + offsets[v], offsets[v + 1] - offsets[v]}; }
  Span<const std::uint32_t> rows_at(Node v) const {
    return {rows.data() + offsets[v], offsets[v + 1] - offsets[v]};
  }
};

/// Breadth-first search to depth `radius` (at least 1) from every node. O(Σ edges in the balls).
/// Throws Error for 2^32 rows or more.
GraphPower graph_power(const Graph& graph, int radius);

struct RowCounts {
  std::uint64_t rows = 0;
  std::uint64_t triples = 0;
};
/// Rows and triples of G^radius without storing them: O(Σ over rows of the smaller ball) time, O(n) memory and
/// the balls.
RowCounts count_rows(const Graph& graph, int radius);

}  // namespace twofold::wl
