#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/graph/power_radius.h"

namespace twofold::graph {

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

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
  /// Unordered pairs {u,v} within the radius, loops {v,v} included.
  std::uint64_t num_pairs() const { return (nodes.size() + num_nodes()) / 2; }
};

/// By a breadth-first search from every node that stops at the radius. O(n + sum of the edges within the
/// balls), O(n^2) for `all`. An empty graph has no balls.
///
/// Throws Error if they, and what they are made from (as much again), would need more than `max_bytes`.
Balls find_balls(const Graph& g, PowerRadius radius, std::uint64_t max_bytes = kNoLimit);

/// find_balls(g, radius).num_pairs() in O(n) memory, twins put together. Stops counting, and gives some larger
/// number, once there are more than `enough`.
std::uint64_t count_power_pairs(const Graph& g, PowerRadius radius, std::uint64_t enough = kNoLimit);

/// Whether every pair of nodes is within the radius, in O(n) memory. Mostly the first node tells that not.
bool is_power_complete(const Graph& g, PowerRadius radius);

/// How often a pair {i,j} and a node l meet, all three within the radius of each other, i = j, l = i and l = j
/// included: the triples of the 2-WL convolution. O(sum over pairs of the smaller ball, or of n/64 with at most
/// 256 MiB of bits, whichever is less). Needs fewer than 2^64 of them.
std::uint64_t count_power_triples(const Balls& balls);

}  // namespace twofold::graph
