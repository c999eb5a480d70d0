#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::testing {

// Properties of graphs by the plainest loops: oracles for what generators promise.

/// The common degree; nothing if degrees differ or there is no node.
std::optional<std::size_t> regular_degree(const Graph& g);

/// The number of connected components. (Union-find.)
std::size_t num_components(const Graph& g);

struct StronglyRegularParameters {
  std::size_t v, k, lambda, mu;
};
bool operator==(const StronglyRegularParameters& a, const StronglyRegularParameters& b);
/// Nothing unless the graph is strongly regular, neither complete nor empty.
std::optional<StronglyRegularParameters> strongly_regular_parameters(const Graph& g);

/// How often each length occurs among the n² distances, unreachable ones under n.
std::vector<std::size_t> distance_histogram(const Graph& g);

/// The rows of G^r (unordered pairs within distance r, loops included) and their triples: for each row {i, j}
/// the common neighbors of both in G^r, i and j included.
struct PowerSize {
  std::size_t rows = 0;
  std::size_t triples = 0;
};
PowerSize power_size(const Graph& g, std::size_t r);

/// Triangles u < v < w, by trying all.
std::vector<std::vector<Node>> triangles(const Graph& g);

/// The number of closed walks of each length 0…max_length: two graphs are cospectral iff all are equal up to n.
/// Counted modulo 2^64.
std::vector<std::uint64_t> closed_walks(const Graph& g, std::size_t max_length);

/// Whether some edge lies on two different cycles.
bool has_fused_rings(const Graph& g);

}  // namespace twofold::testing
