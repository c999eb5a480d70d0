#pragma once

#include <cstddef>
#include <cstdint>

#include "twofold/compute/matrix_product.h"

namespace twofold::compute {

/// How the rows of a graph become one. The weighted mean has a score per row and channel, or one per row.
enum class Pooling : std::uint8_t { kMean, kSum, kMax, kMin, kWeightedMean, kProduct };

/// The rows of one graph.
struct PoolSegment {
  // Null: the rows from `first` on.
  const std::uint32_t* rows = nullptr;
  // How often each counts, at least once. Null: once.
  const std::uint64_t* counts = nullptr;
  std::size_t first = 0;
  std::size_t size = 0;

  std::size_t row(std::size_t i) const { return rows == nullptr ? first + i : rows[i]; }
};

/// The buffers of one pooling of rows of d values, T float or double. Nothing is owned.
///
///   mean, sum, max, min   out[g,c] = that of y[f,c] over the rows f of segment g, each as often as it counts
///   product               out[g,c] = that of y[f,c] over the rows f: of few, such as both ends of a link
///   weighted mean         out[g,c] = sum of w[f,c] y[f,c],  w[f,c] = n_f exp(s[f,c]) / sum of n_f exp(s[f,c])
/// A segment without rows gives zeros.
template <typename T>
struct PoolArgs {
  Pooling pooling = Pooling::kMean;
  std::size_t d = 0;
  const PoolSegment* segments = nullptr;
  std::size_t num_segments = 0;
  MatrixView<const T> y;
  // For the weighted mean: scores of one column or of d, and as many values for the weights, segment by segment
  // in the order of their rows: written forward, read backward.
  MatrixView<const T> scores;
  std::size_t score_columns = 0;
  T* weights = nullptr;
  // num_segments rows of d values: written forward, read backward.
  T* out = nullptr;

  // Backward: the gradient of out, and those of y and of the scores, to which it adds (ties of max and min
  // share equally, whatever the order of rows).
  const T* dout = nullptr;
  MatrixView<T> dy;
  MatrixView<T> dscores;
};

/// One thread.
template <typename T>
void pool_rows(const PoolArgs<T>& args);
template <typename T>
void pool_rows_backward(const PoolArgs<T>& args);

}  // namespace twofold::compute
