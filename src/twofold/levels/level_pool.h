#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/pairs/pair_set.h"

namespace twofold::levels {

template <typename Item>
struct BatchLevels;

/// What the graphs of a batch have on one level: what a readout or a normalization of that layer weighs its
/// rows by. Overwritten in place, so keep one per level for all batches.
class LevelPool {
 public:
  // One more than there are graphs, ascending from 0: positions in the next three.
  std::vector<std::uint64_t> offsets = {0};
  // A graph's rows of the level, each once …
  std::vector<pairs::Row> rows;
  // … how many rows of the graph are of that color, at least 1 …
  std::vector<std::uint64_t> counts;
  // … and how many of those are loops.
  std::vector<std::uint32_t> loops;

  std::size_t num_graphs() const { return offsets.size() - 1; }
  /// Throws CheckError unless every sentence above holds on a level of so many rows. O(size + num_rows).
  void check(std::size_t num_rows) const;

 private:
  friend void pool_before(const LevelPool&, Span<const pairs::Row>, std::size_t, LevelPool&);

  // One per row of the level: where the last graph that has it put it, counted on from batch to batch, so that
  // nothing has to be cleared. 0: nowhere yet.
  std::vector<std::uint64_t> places_;
  std::uint64_t next_place_ = 1;
};

/// The pool of a batch's last level, in the order of the batch (level_cutter.h). O(size).
template <typename Item>
void pool_of_last(const BatchLevels<Item>& batch, LevelPool& pool) {
  pool.offsets = batch.pool_offsets;
  pool.rows = batch.pool_rows;
  pool.counts = batch.pool_counts;
  pool.loops = batch.pool_loops;
}

/// The pool of the level that `own` is about: several colors go on from one, so its counts are their sums.
/// `own` is that of the level of `after`, and has a row below num_rows for every row of it. A graph's rows come
/// in the order in which its entries of `after` lead to them first. O(size of after); O(num_rows) once.
void pool_before(const LevelPool& after, Span<const pairs::Row> own, std::size_t num_rows, LevelPool& before);

/// One per row of the level: how many rows of the batch's graphs it stands for. Adds up a row's graphs in their
/// order. Needs rows of the pool below num_rows. O(size + num_rows).
void count_rows(const LevelPool& pool, std::size_t num_rows, std::vector<std::uint64_t>& counts);

}  // namespace twofold::levels
