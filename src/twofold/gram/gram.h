#pragma once

#include <cstdint>

#include "twofold/base/progress.h"
#include "twofold/base/span.h"
#include "twofold/gram/gram_matrix.h"
#include "twofold/gram/kernel.h"
#include "twofold/graph/graph.h"

namespace twofold::gram {

struct GramOptions {
  /// 0 takes all available threads. Never changes a result.
  int threads = 0;
  /// In bytes; 0 takes nine tenths of the machine's. Less memory may cost more passes; where it cannot suffice,
  /// an Error says so, as a rule before the work starts.
  std::uint64_t max_memory = 0;
  /// Told how much of the counting is done, in graphs, or in graphs and rounds.
  Progress progress;
};

/// The Gram matrix of the graphs under a kernel, exact.
///
/// An entry depends on its two graphs alone: whether the colors were numbered over all graphs (transductive) or
/// over a part of them makes no difference to it. Features are counted sparsely and never compared graph by
/// graph; those that only one graph can have are not stored at all. No graphs give an empty matrix; a graph
/// without nodes, or for the pair kernels with one, a row of zeros. Throws UsageError for iterations out of
/// range, Error for values beyond 2^63-1 or too little memory. Cost, for n nodes and m edges a graph: wl-st T
/// (n + m), wl-sp n (n + m + T n), 2-lwl T n m, 2-gwl T n²,
/// 2-wl T times the triples of G^r, and the product: the square of the number of graphs
/// that have it for each feature. Twins (twin_graph.h) count once.
GramMatrix gram_matrix(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options = {});

}  // namespace twofold::gram
