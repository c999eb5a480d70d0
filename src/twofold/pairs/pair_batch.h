#pragma once

#include <cstdint>
#include <vector>

#include "twofold/pairs/pair_set.h"

namespace twofold::pairs {

/// Graphs to be convolved together: their rows one after the other. It refers to the sets and owns none; they
/// must outlive it. Row numbers stay those within a graph, so putting a batch together copies nothing.
struct PairBatch {
  std::vector<const PairSet*> sets;
  // One more than there are graphs: the rows of graph g are row_offsets[g]…row_offsets[g+1] of the batch.
  std::vector<std::uint64_t> row_offsets = {0};
  std::uint64_t num_triples = 0;

  std::size_t num_graphs() const { return sets.size(); }
  std::uint64_t num_rows() const { return row_offsets.back(); }
};

/// The given sets in the given order; repetitions are allowed. O(number of graphs).
PairBatch make_batch(const std::vector<const PairSet*>& sets);
/// All of them.
PairBatch make_batch(const std::vector<PairSet>& sets);

/// The paper's reference matrix R (Appendix A), its three columns apart, in row numbers of the batch from 0.
struct References {
  // One a triple each, grouped by row and in the order of PairSet.
  std::vector<std::int64_t> row;
  std::vector<std::int64_t> a;
  std::vector<std::int64_t> b;
};

/// 24 bytes per triple. O(t).
References make_references(const PairBatch& batch);

}  // namespace twofold::pairs
