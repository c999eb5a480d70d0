#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "twofold/base/random.h"
#include "twofold/graph/graph.h"

namespace twofold::testing {

// Small graphs by name, written down edge by edge: independent of the generators in src/.

Graph from_edges(std::size_t n, const std::vector<std::pair<Node, Node>>& edges);

Graph empty_graph(std::size_t n);
Graph cycle(std::size_t n);
Graph path(std::size_t n);
Graph complete(std::size_t n);
Graph star(std::size_t leaves);
/// Two triangles side by side: 1-WL cannot tell them from cycle(6).
Graph two_triangles();
Graph petersen();
/// Decalin (two hexagons sharing an edge) and bicyclopentyl (two pentagons joined by an edge), hydrogens left
/// out.
Graph decalin();
Graph bicyclopentyl();
/// The two strongly regular graphs with parameters (16, 6, 2, 2).
Graph rook_4x4();
Graph shrikhande();

/// Each of the n(n-1)/2 edges with probability p; node labels below `labels` if that is not 0.
Graph random_graph(Random& random, std::size_t n, double p, Label labels = 0);
/// `g` under a random renaming of its nodes.
Graph shuffled(const Graph& g, Random& random);

}  // namespace twofold::testing
