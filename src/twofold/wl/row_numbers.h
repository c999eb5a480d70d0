#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/power.h"

namespace twofold::wl {

/// The balls of G^r with the rows they hold, numbered in ascending order of (i, j), i <= j.
struct NumberedBalls {
  graph::Balls balls;
  // Parallel to balls.nodes: the number of the row {v, node}.
  std::vector<std::uint32_t> rows;

  std::size_t num_rows() const { return balls.num_pairs(); }
  Span<const Node> ball(Node v) const { return balls.of(v); }
  Span<const std::uint32_t> rows_at(Node v) const { return {rows.data() + balls.offsets[v], balls.size(v)}; }
};

/// O(edges in the balls). Throws Error for 2^32 rows or more.
NumberedBalls number_rows(const Graph& graph, graph::PowerRadius radius);

}  // namespace twofold::wl
