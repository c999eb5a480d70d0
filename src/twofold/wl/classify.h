#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/wl_test.h"

namespace twofold::wl {

struct ClassifyOptions {
  /// 0 takes all available threads. Never changes a result.
  int threads = 1;
  /// In bytes; 0 takes nine tenths of the machine's. Needing more is an Error before the work starts.
  std::uint64_t max_memory = 0;
  /// Whether shortcuts are taken: automorphisms (symmetry.h), and weaker tests first, which decide most of it.
  /// Never changes a result.
  bool shortcuts = true;
  /// The bits of hashes that are used. Fewer make the work slower and change nothing else; tests take none.
  std::uint64_t hash_mask = ~std::uint64_t{0};
  Progress progress = {};
};

/// Which graphs a test cannot tell apart.
struct Classes {
  std::size_t num_classes = 0;
  // One a graph, 0…num_classes-1, numbered by their first graph. Two graphs are in one class iff their stable
  // histograms under joint refinement are equal (with marks: iff the multisets of them over all marked copies
  // are).
  std::vector<std::uint32_t> class_of;
};

/// Exact: graphs with different hashes differ; graphs with equal ones are compared without hashes.
/// Throws InputError if test.marks exceeds a graph's number of nodes, Error if memory does not suffice.
/// Memory: that of the largest graph per thread (1-wl without marks: of all graphs together), and 40 bytes per
/// graph.
Classes classify(Span<const Graph> graphs, const WlTest& test, const ClassifyOptions& options = {});

/// Whether the test distinguishes graphs 0 and 1, 2 and 3, …: one verdict a pair, found as early as possible.
/// Needs an even number of graphs; the same promises as classify.
std::vector<bool> distinguish_pairs(Span<const Graph> graphs, const WlTest& test,
                                    const ClassifyOptions& options = {});
bool distinguishes(const WlTest& test, const Graph& a, const Graph& b, const ClassifyOptions& options = {});

/// The class of every marked copy of every graph: for each graph in turn the ordered tuples of distinct nodes
/// in ascending order, (0, 1, 2, …), (0, 1, 3, …), … For one mark: which nodes the test can tell apart. Needs
/// test.marks >= 1.
Classes classify_marked(Span<const Graph> graphs, const WlTest& test, const ClassifyOptions& options = {});
/// The tuples in that order, for a graph of n nodes.
std::vector<std::vector<Node>> marked_tuples(std::size_t n, int marks);

}  // namespace twofold::wl
