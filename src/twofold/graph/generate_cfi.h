#pragma once

#include <cstddef>
#include <cstdint>

#include "twofold/base/span.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

// The graphs of Cai, Fürer and Immerman ("An optimal lower bound on the number of variables for graph
// identification", 1992): pairs that k-dimensional WL cannot tell apart once the base graph is rich enough
// (k-FWL needs more than the base's treewidth allows).

enum class CfiForm {
  // Every base node v becomes a gadget: a node for each even subset S of v's edges, and two ends, 0 and 1, for
  // each
  // edge e of v; S is joined to end 1 of the edges in it and to end 0 of the others. The gadgets at both sides
  // of
  // a base edge are joined end 0 to end 0 and 1 to 1, crosswise if the edge is twisted. Size: the sum of
  // 2^(degree-1) + 2 · degree over the base's nodes.
  kGadgets,
  // The same without ends: the nodes for S and T are joined directly iff they agree on the base edge between
  // their
  // gadgets (disagree, if it is twisted). Size: the sum of 2^(degree-1).
  kCompact,
};

struct CfiOptions {
  CfiForm form = CfiForm::kGadgets;
  // Node labels: which base node a subset node belongs to, and for ends which base node and edge. Without them
  // the nodes have none.
  bool colored = false;
};

/// The graph over `base` with these edges (by their numbers in Graph; an edge named twice is not twisted)
/// twisted. Two sets of twists give isomorphic graphs iff their sizes have the same parity, labels or not
/// (Roberson, "Oddomorphisms and homomorphism indistinguishability over graphs of bounded degree", 2022, for
/// the compact form; the other is the compact one over the base with two more nodes on each edge). Labels and
/// attributes of the base are ignored. Throws UsageError if it is disconnected or has no edge, a self-loop, or
/// more than 2^27 edges would come out.
Graph cfi_graph(const Graph& base, Span<const std::uint32_t> twisted_edges, const CfiOptions& options = {});

struct CfiPair {
  Graph untwisted;
  Graph twisted;  // at edge 0
};
/// Two non-isomorphic graphs over `base`, of equal degrees unless it has nodes of degree 1.
CfiPair cfi_pair(const Graph& base, const CfiOptions& options = {});

/// A pair for each graph of `bases`, side by side: untwisted (class 0), twisted (class 1), untwisted, ….
Dataset generate_cfi(Span<const Graph> bases, const CfiOptions& options = {});

}  // namespace twofold::graph
