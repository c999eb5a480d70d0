#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

// Graphs made of rings. 1-WL sees only degrees in all of them, so it tells none from another of the same size
// and degree; distances, and so 2-WL, do.

/// Disjoint cycles of these lengths, numbered one after the other. Throws UsageError for a length below 3.
Graph union_of_cycles(Span<const std::size_t> lengths);

/// A ring of `ring` nodes times a hypercube of dimension `dimension`: ring · 2^dimension nodes, each of degree
/// 2 + dimension. Node i · 2^dimension + x is place i of the ring and corner x of the cube.
/// Throws UsageError for ring < 3.
Graph hyperloop_graph(std::size_t ring, std::size_t dimension);

/// A ring of n nodes with further edges between nodes `skip` apart: 4-regular.
/// Throws UsageError unless 2 <= skip < n/2.
Graph circular_skip_link_graph(std::size_t n, std::size_t skip);

struct CyclesOptions {
  std::size_t n = 12;              // nodes of every graph
  std::size_t max_components = 2;  // graphs of 1…max_components cycles
  std::size_t copies = 1;          // of each graph, all but the first randomly renamed
};

/// Every graph of n nodes, up to isomorphism, that is a union of at most max_components cycles; the class is
/// the number of cycles. Graphs of fewer cycles come first; within a class by lengths, longest first,
/// descending. Throws UsageError for n < 3, max_components = 0 or copies = 0.
Dataset generate_cycles(const CyclesOptions& options = {}, std::uint64_t seed = 1);

struct HyperloopOptions {
  std::size_t n = 1024;          // nodes of every graph
  std::size_t degree = 2;        // of every node
  std::size_t num_graphs = 100;  // the first half are copies of one graph, the rest of the other
};

/// The data of the paper's epoch times: identical copies of the hyperloop of n nodes (class 0) and of the same
/// with its ring cut in two halves (class 1; two hyperloops of n/2 nodes side by side). Without triangles
/// unless a half ring has 3 nodes. Nothing is random. Throws UsageError unless degree >= 2 and n is
/// 2^(degree-2) times an even number from 6 on.
Dataset generate_hyperloop(const HyperloopOptions& options = {});

struct SkipLinksOptions {
  std::size_t n = 41;
  // One class each. The default is the ten pairwise non-isomorphic graphs of 41 nodes that Murphy et al. (2019,
  // "Relational Pooling") took and that are known as the benchmark CSL.
  std::vector<std::size_t> skips = {2, 3, 4, 5, 6, 9, 11, 12, 13, 16};
  std::size_t copies = 15;
};

/// Circular skip link graphs; the class is the skip. Each skip comes `copies` times, all but the first randomly
/// renamed. Other sizes may hold isomorphic graphs in different classes: n, s and n, t are if s·t = ±1 mod n.
/// Throws UsageError for a skip outside 2…(n-1)/2 or given twice, for no skips, and for copies = 0.
Dataset generate_skip_links(const SkipLinksOptions& options = {}, std::uint64_t seed = 1);

}  // namespace twofold::graph
