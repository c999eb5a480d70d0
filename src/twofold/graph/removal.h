#pragma once

#include <cstddef>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold {

/// The graph without node v and its edges; later nodes move up by one. Labels and attributes stay with what is
/// left. O(n + m).
Graph without_node(const Graph& g, Node v);

/// The graph without the edge of that number (as Graph numbers them, self-loops included). O(n + m).
Graph without_edge(const Graph& g, std::size_t edge);

/// The same without all edges that are marked, one mark per edge and self-loop.
Graph without_edges(const Graph& g, const std::vector<bool>& is_removed);

}  // namespace twofold
