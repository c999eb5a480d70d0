#pragma once

#include <cstddef>
#include <cstdint>

#include "twofold/base/random.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

/// A random simple graph of n nodes, each of this degree.
///
/// Degrees up to 3 (and from n-4 on, by the complement): exactly uniform among all such labelled graphs, by
/// drawing pairings until one is simple, on average at most about e² = 7.4 of them. Other degrees: a pairing
/// whose loops and double edges are switched away, followed by 10 m switches (edges ab and cd become ac and bd
/// where that is simple), whose only stationary distribution is the uniform one; near it, not proven to reach
/// it. Throws UsageError unless degree < n (or n = 0 = degree) and n · degree is even. About O(n · degree), or
/// O(n²) for a degree above n/2.
Graph random_regular_graph(std::size_t n, std::size_t degree, Random& random);

struct RegularOptions {
  std::size_t n = 20;      // nodes of every graph
  std::size_t degree = 3;  // of every node
  bool connected = false;  // draw again until a graph is connected
  std::size_t num_graphs = 100;
};

/// Random regular graphs, without classes. 1-WL tells none from another; almost all pairs are non-isomorphic
/// for degree >= 3, but not every small one is. Throws UsageError as random_regular_graph, and if `connected`
/// is impossible (degree 0 or 1).
Dataset generate_regular(const RegularOptions& options = {}, std::uint64_t seed = 1);

}  // namespace twofold::graph
