#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/pairs/pair_set.h"

namespace twofold::compute {

/// The neighbor lists of some rows that follow each other, into rows of the same or of another level. It owns
/// nothing.
struct NeighborBlock {
  std::size_t num_rows = 0;
  // num_rows + 1 ascending positions in `sources`.
  const std::uint64_t* offsets = nullptr;
  // Numbers counted from first_source.
  const std::uint32_t* sources = nullptr;
  // Parallel to `sources`: how often each counts; null: once.
  const std::uint32_t* counts = nullptr;
  // One a row, one a source (counted from first_source): factors; null: 1.
  const double* row_scale = nullptr;
  const double* source_scale = nullptr;
  // Where the rows and the sources begin among all.
  std::uint64_t first_row = 0;
  std::uint64_t first_source = 0;
};

/// out[v,:] = own * x[v,:] + row_scale[v] * sum over the entries s of v's list of count * source_scale[s] *
/// x[s,:].
///
/// `blocks` cover the rows in order, `reverse` the sources: the same map turned around, for gradients. A
/// symmetric neighborhood has the same lists in both, with the two scales swapped.
struct NeighborPlan {
  std::vector<NeighborBlock> blocks;
  std::vector<NeighborBlock> reverse;
  std::uint64_t num_rows = 0;
  std::uint64_t num_sources = 0;
};

/// T is float or double. Strides count values from one row to the next; `x` and `out` do not overlap. Each out
/// row has one writer and one order of summands: the same bits for any number of threads.
/// Needs num_rows == num_sources unless own is 0. O(entries * d).
template <typename T>
struct NeighborSumArgs {
  const std::vector<NeighborBlock>* blocks = nullptr;
  std::size_t d = 0;
  const T* x = nullptr;
  std::size_t x_stride = 0;
  T* out = nullptr;
  std::size_t out_stride = 0;
  double own = 0;
  int threads = 1;
};
template <typename T>
void neighbor_sum(const NeighborSumArgs<T>& args);

/// The neighbor sum of the 2-GNN on the rows of sets of radius 1: a loop gets the edges at its node, an edge
/// the loops of its ends and the other edges there (adjacency in the edge neighborhood graph, paper Def. 3.1).
///
/// With S_v the sum of v's loop and of the edges at v, edge {a,b} gets S_a + S_b - 2 z_ab and loop {a,a} gets
/// S_a - z_aa: O(n + m), where the lists would take the sum of the squared degrees. The map is its own adjoint.
template <typename T>
struct EdgeSumArgs {
  // The sets of a batch, their rows one after the other.
  const std::vector<const pairs::PairSet*>* sets = nullptr;
  const std::vector<std::uint64_t>* row_offsets = nullptr;
  std::size_t d = 0;
  const T* x = nullptr;
  std::size_t x_stride = 0;
  T* out = nullptr;
  std::size_t out_stride = 0;
  int threads = 1;
};
template <typename T>
void edge_sum(const EdgeSumArgs<T>& args);

}  // namespace twofold::compute
