#pragma once

#include <cstddef>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"

namespace twofold {

/// Some nodes of a graph with all edges between them.
struct Neighborhood {
  Graph graph;
  // Ascending: node k of `graph` is this node of the whole one.
  std::vector<Node> nodes;

  /// What node v of the whole graph is called here; nodes.size() if it is not here. O(log n).
  Node name_of(Node v) const;
};

/// All nodes at most `steps` edges away from one of the given ones, ascending. O(n) memory; time in what is
/// found and O(n).
std::vector<Node> nodes_within(const Graph& g, Span<const Node> centers, std::size_t steps);

/// Those nodes with the edges and self-loops between them. Labels, features and attributes stay with what is
/// left. Needs `nodes` ascending, without repetition. Time: O(n) and the degrees of the nodes.
Neighborhood induced(const Graph& g, std::vector<Node> nodes);

}  // namespace twofold
