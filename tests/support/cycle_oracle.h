#pragma once

#include "twofold/graph/cycle_counts.h"
#include "twofold/graph/graph.h"

namespace twofold::testing {

/// Every cycle walked node by node from its smallest node, and noted at each of its nodes and edges.
graph::CycleCounts plain_cycle_counts(const Graph& g, graph::CycleLengths lengths);

}  // namespace twofold::testing
