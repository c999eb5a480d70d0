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

/// How many nodes are at distance <= radius from v, itself included.
std::size_t ball_size(const Graph& graph, int radius, Node v);

struct RowCounts {
  std::uint64_t rows = 0;
  std::uint64_t triples = 0;
};
/// Rows and triples of G^radius. First the rows are counted in O(n) memory; if there are more than `most_rows`,
/// counting stops, rows is some larger number and triples 0. Else the balls are stored to count the triples,
/// O(Σ over rows of the smaller ball).
RowCounts count_rows(const Graph& graph, int radius, std::uint64_t most_rows = ~std::uint64_t{0});

}  // namespace twofold::wl
