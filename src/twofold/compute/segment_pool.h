#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace twofold::compute {

enum class SegmentReduction { kMean, kSum, kMax, kMin };

/// Which rows belong to which graph of a batch.
struct Segments {
  // Rows there are in all; not all need to belong to a graph.
  std::uint64_t num_rows = 0;
  // One a graph: positions begin[g]…end[g], which are row numbers if `rows` is empty, else positions in it.
  std::vector<std::uint64_t> begin;
  std::vector<std::uint64_t> end;
  // Empty, or rows one graph after the other, with `counts` saying how often each counts (rows of equal color
  // are kept once; then graphs share rows).
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> counts;

  std::size_t num_graphs() const { return begin.size(); }
};

/// The rows of a batch in which every graph's follow each other: graph g has those from offsets[g] on, all, or
/// the first `lengths[g]` of them if lengths are given.
Segments contiguous_segments(const std::vector<std::uint64_t>& offsets,
                             const std::vector<std::uint64_t>& lengths = {});

/// Pooling of d columns: out[g,c] from x[f,c] over the rows f of g. T is float or double. A graph without rows
/// gets 0. Each graph is summed by one thread in the order of its rows: the same bits for any number of
/// threads.
///
/// With `scores`: the mean weighted by exp(score) (the maximum subtracted before), score_columns being 1 (one a
/// row) or d (one a row and column). `reduction` is not looked at.
template <typename T>
struct SegmentPoolArgs {
  const Segments* segments = nullptr;
  SegmentReduction reduction = SegmentReduction::kMean;
  std::size_t d = 0;
  // num_rows rows of d (score_columns) values one after the other.
  const T* x = nullptr;
  const T* scores = nullptr;
  std::size_t score_columns = 0;
  // num_graphs rows of d values. Backward reads it too.
  T* out = nullptr;
  // With scores: the weight of each entry, score_columns values an entry, entries graph after graph; written
  // forward, read backward. num_entries(segments) * score_columns values.
  T* weights = nullptr;

  // Backward: the gradient of out …
  const T* dout = nullptr;
  // … is added to that of x and of the scores, laid out as they; both must be 0 (or what is to be added to)
  // before. A tie of kMax or kMin goes to the first row.
  T* dx = nullptr;
  T* dscores = nullptr;

  int threads = 1;
};

/// Entries of all graphs together.
std::uint64_t num_entries(const Segments& segments);

template <typename T>
void segment_pool(const SegmentPoolArgs<T>& args);
template <typename T>
void segment_pool_backward(const SegmentPoolArgs<T>& args);

}  // namespace twofold::compute
