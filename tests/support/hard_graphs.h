#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/base/random.h"
#include "twofold/graph/graph.h"

namespace twofold::testing {

// Graphs that are hard to tell apart, and graphs of every kind: independent of the generators in src/.

/// All graphs on n nodes up to isomorphism, by nauty's geng; `more` are further arguments (`-t`: without
/// triangles). Empty if geng is not installed: then skip.
std::vector<Graph> all_graphs(int n, const std::string& more = "");

/// The graph of Cai, Fürer and Immerman over a connected base graph: every node becomes 2^(d-1) nodes, every
/// edge two; the twisted one has one edge crossed. Without colors. Not isomorphic to each other.
Graph cfi(const Graph& base, bool twisted);

/// A random d-regular graph on n nodes (n d even, d < n): random matchings until no edge repeats, then random
/// switches.
Graph random_regular(Random& random, std::size_t n, std::size_t d);

/// Random edges and, each by chance, node labels, edge labels and self-loops.
Graph random_decorated(Random& random, std::size_t n, double p);

/// How many cycles of that length `g` has as subgraphs: tried out one by one.
std::size_t count_cycles(const Graph& g, std::size_t length);

}  // namespace twofold::testing
