#pragma once

#include <cstdint>
#include <optional>

#include "twofold/graph/graph.h"

namespace twofold::graph {

/// The smallest eccentricity of a node, exactly: the least r such that some node is within r steps of all
/// others. Nothing for a graph that is not connected, or has no nodes; 0 for a single node. Self-loops do not
/// matter.
///
/// Cost: a breadth-first search, O(n + m), for each node that no earlier search has ruled out. On the graphs
/// people have that is a handful; on highly symmetric ones (a ring) up to n.
std::optional<std::uint32_t> radius(const Graph& g);

}  // namespace twofold::graph
