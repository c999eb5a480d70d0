#pragma once

#include <cstddef>

namespace twofold::compute {

/// Batch normalization of rows that stand for several equal ones each, and relu, in one go. T is float or
/// double. With weights w, of sum W, each column by itself:
///   mean = sum of w x / W, variance = sum of w (x - mean)^2 / W, y = (x - mean) / sqrt(variance + epsilon),
///   out = max(0, scale y + shift).
/// One thread, sums in double. Without rows, mean and variance are 0.
template <typename T>
struct WeightedNormArgs {
  std::size_t num_rows = 0;
  std::size_t d = 0;
  double epsilon = 0;
  // num_rows rows of d values one after the other; one weight a row, above 0.
  const T* x = nullptr;
  const T* weights = nullptr;
  // d values each.
  const T* scale = nullptr;
  const T* shift = nullptr;
  // Written forward, read backward: as x, and d values each.
  T* out = nullptr;
  double* mean = nullptr;
  double* variance = nullptr;

  // Backward: the gradient of out gives those of x, scale and shift, which are overwritten.
  const T* dout = nullptr;
  T* dx = nullptr;
  T* dscale = nullptr;
  T* dshift = nullptr;
};
template <typename T>
void weighted_norm(const WeightedNormArgs<T>& args);
template <typename T>
void weighted_norm_backward(const WeightedNormArgs<T>& args);

}  // namespace twofold::compute
