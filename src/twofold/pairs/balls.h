#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/pairs/radius.h"

namespace twofold::pairs {

/// The closed balls of a graph: which nodes are within the radius of each node, itself included. These are the
/// neighbor lists of the r-th power G^r, loops included.
struct Balls {
  // n + 1 ascending positions in `nodes`; the first is 0.
  std::vector<std::uint64_t> offsets = {0};
  // At offsets[v]…offsets[v+1]: the nodes within the radius of v, strictly ascending, v among them.
  // u is among v's iff v is among u's.
  std::vector<Node> nodes;

  std::size_t num_nodes() const { return offsets.size() - 1; }
  std::size_t size(Node v) const { return offsets[v + 1] - offsets[v]; }
  Span<const Node> of(Node v) const { return {nodes.data() + offsets[v], size(v)}; }
};

/// By a breadth-first search from every node that stops at the radius. O(n + sum of the edges within the
/// balls), O(n^2) for `all`. An empty graph has no balls.
///
/// Throws Error if the lists would need more than `max_bytes`, before they do.
Balls find_balls(const Graph& g, Radius radius, std::uint64_t max_bytes);

}  // namespace twofold::pairs
