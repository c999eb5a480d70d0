#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::testing {

// Ground truth by nauty (McKay and Piperno), independent of anything twofold computes.

/// Equal for two graphs iff they are isomorphic: node labels, edge labels and self-loops must be matched,
/// attributes are ignored. A graph without labels is not one with a label 0. For up to a few thousand nodes
/// (dense: O(n²) bits; with edge labels each edge counts as a node); hard graphs may take long.
std::vector<std::int64_t> canonical_form(const Graph& g);

bool isomorphic(const Graph& a, const Graph& b);

/// The order of the automorphism group; n! divided by it is the number of labelled graphs isomorphic to g.
double num_automorphisms(const Graph& g);

/// How many of the graphs are pairwise non-isomorphic.
std::size_t num_isomorphism_classes(const std::vector<Graph>& graphs);

}  // namespace twofold::testing
