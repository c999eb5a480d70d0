#pragma once

#include <cstddef>

namespace twofold::compute {

/// Batch normalization of rows that stand for several equal ones each, T float or double. With weights w, of
/// sum W, each column by itself:
///   mean = sum of w x / W, variance = sum of w (x - mean)^2 / W, y = (x - mean) / sqrt(variance + epsilon),
///   out = scale y + shift, and of that the positive part if `relu`.
/// The rows may be some of a batch: statistics and slopes of all its parts are merged between the steps. One
/// thread, sums in double.
template <typename T>
struct BatchNormArgs {
  std::size_t num_rows = 0;
  std::size_t d = 0;
  double epsilon = 0;
  bool relu = false;
  // num_rows rows of d values one after the other; a weight per row, above 0 (null: 1 each).
  const T* x = nullptr;
  const T* weights = nullptr;
  // d values each.
  const T* scale = nullptr;
  const T* shift = nullptr;
  T* out = nullptr;
  // Of the whole batch: its weight, and d values each.
  double total = 0;
  double* mean = nullptr;
  double* variance = nullptr;

  // Backward: the gradient of out gives that of x (the same buffer is allowed); sums over the whole batch of
  // the gradient behind relu, and of it times y, which are the gradients of shift and scale: d values each.
  const T* dout = nullptr;
  T* dx = nullptr;
  double* slopes = nullptr;
  double* y_slopes = nullptr;
};

/// Total, mean and variance of these rows. Without rows all are 0.
template <typename T>
void batch_norm_statistics(BatchNormArgs<T>& args);
/// out from x and the batch's statistics.
template <typename T>
void batch_norm(const BatchNormArgs<T>& args);
/// The slopes of these rows, from dout and out.
template <typename T>
void batch_norm_slopes(const BatchNormArgs<T>& args);
/// dx from dout and the batch's slopes.
template <typename T>
void batch_norm_backward(const BatchNormArgs<T>& args);

}  // namespace twofold::compute
