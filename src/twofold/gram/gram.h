#pragma once

#include <cstdint>
#include <functional>

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
  /// gram_blocks makes no more rows at once than this; 0: as many as memory allows.
  std::size_t most_rows = 0;
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

/// The same matrix in blocks of rows, first to last, handed to `take` one after the other: for matrices that
/// are larger than the memory. As many rows at once as max_memory has room for beside the counting, which is
/// done anew for each block; where one block holds all rows, once. No graphs give one empty block. Throws as
/// gram_matrix; where not even a row fits, before the work starts.
void gram_blocks(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options,
                 const std::function<void(const GramMatrix& rows)>& take);

/// How many rows gram_blocks makes at once at most.
std::size_t rows_at_once(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options);

}  // namespace twofold::gram
