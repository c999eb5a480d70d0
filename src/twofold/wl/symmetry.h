#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"

namespace twofold::wl {

/// Automorphisms of a graph: they keep node labels, self-loops, marks and, if asked, edge labels.
struct Symmetry {
  // One per node: the smallest node of its orbit under the generators.
  std::vector<Node> orbit_of;
  // generators[i][v] is the image of v. None: no symmetry was found.
  std::vector<std::vector<Node>> generators;

  std::size_t num_orbits() const;
};

/// Found by nauty (McKay and Piperno). nodes[m] of `marked` carries the mark m + 1.
///
/// Every generator is an automorphism. They generate the whole group unless the search was cut off: it ends
/// after a fixed number of steps, and graphs of more than 1024 nodes (with edge labels: nodes and edges) are
/// not searched. The orbits are then finer than they could be, which costs time and changes no result. One
/// search at a time in a process; others wait. The result does not depend on threads.
Symmetry find_symmetry(const Graph& graph, bool edge_labels, Span<const Node> marked = {});

/// image[v] of `b` for each node v of `a`, if nauty finds that the graphs are isomorphic; it is checked edge by
/// edge. Nothing if they are not, or if the search was cut off.
std::optional<std::vector<Node>> find_isomorphism(const Graph& a, const Graph& b, bool edge_labels);

/// One of the ordered tuples of distinct nodes that automorphisms map to each other.
struct MarkOrbit {
  std::vector<Node> nodes;
  // How many tuples it stands for.
  std::uint64_t size = 1;
  // Nothing but the identity is known to fix the nodes, so that no search is needed for longer tuples.
  bool is_rigid = false;
};

/// `parent` and one node more: one tuple for each orbit under the automorphisms that fix parent.nodes.
/// Their sizes add up to parent.size (n - parent.nodes.size()). Without `by_orbits` one for each node.
std::vector<MarkOrbit> extend_marks(const Graph& graph, bool edge_labels, const MarkOrbit& parent,
                                    bool by_orbits = true);

/// One tuple of `marks` nodes for each orbit, ascending; their sizes add up to n (n-1) … (n-marks+1).
/// Throws TooManyOrbits as soon as it is sure that there are more than `most`.
std::vector<MarkOrbit> mark_orbits(const Graph& graph, bool edge_labels, int marks, bool by_orbits = true,
                                   std::uint64_t most = ~std::uint64_t{0});

struct TooManyOrbits {
  std::uint64_t at_least;
};

/// n (n-1) … (n-marks+1), the number of tuples; saturates at 2^63.
std::uint64_t count_copies(std::size_t n, int marks);

}  // namespace twofold::wl
