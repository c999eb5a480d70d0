#include "twofold/compute/weighted_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace twofold::compute {
namespace {

template <typename T>
double total_weight(const WeightedNormArgs<T>& a) {
  double total = 0;
  for (std::size_t row = 0; row < a.num_rows; ++row) total += static_cast<double>(a.weights[row]);
  return total;
}

template <typename T>
void inverse_deviation(const WeightedNormArgs<T>& a, std::vector<T>& inverse) {
  inverse.resize(a.d);
  for (std::size_t c = 0; c < a.d; ++c) inverse[c] = static_cast<T>(1 / std::sqrt(a.variance[c] + a.epsilon));
}

}  // namespace

template <typename T>
void weighted_norm(const WeightedNormArgs<T>& a) {
  const std::size_t d = a.d;
  std::fill_n(a.mean, d, 0.0);
  std::fill_n(a.variance, d, 0.0);
  if (a.num_rows == 0) return;
  const double share = 1 / total_weight(a);
  double* const __restrict mean = a.mean;
  double* const __restrict variance = a.variance;
  for (std::size_t row = 0; row < a.num_rows; ++row) {
    const T* const __restrict x = a.x + row * d;
    const double w = static_cast<double>(a.weights[row]);
    for (std::size_t c = 0; c < d; ++c) mean[c] += w * static_cast<double>(x[c]);
  }
  for (std::size_t c = 0; c < d; ++c) mean[c] *= share;
  for (std::size_t row = 0; row < a.num_rows; ++row) {
    const T* const __restrict x = a.x + row * d;
    const double w = static_cast<double>(a.weights[row]);
    for (std::size_t c = 0; c < d; ++c) {
      const double from_mean = static_cast<double>(x[c]) - mean[c];
      variance[c] += w * from_mean * from_mean;
    }
  }
  for (std::size_t c = 0; c < d; ++c) variance[c] *= share;
  std::vector<T> factor;
  inverse_deviation(a, factor);
  std::vector<T> center(d);
  for (std::size_t c = 0; c < d; ++c) {
    factor[c] *= a.scale[c];
    center[c] = static_cast<T>(mean[c]);
  }
  for (std::size_t row = 0; row < a.num_rows; ++row) {
    const T* const __restrict x = a.x + row * d;
    T* const __restrict out = a.out + row * d;
    for (std::size_t c = 0; c < d; ++c) {
      const T value = (x[c] - center[c]) * factor[c] + a.shift[c];
      // Not std::max, which would make a 0 of what is no number.
      out[c] = value < 0 ? T(0) : value;
    }
  }
}

template <typename T>
void weighted_norm_backward(const WeightedNormArgs<T>& a) {
  const std::size_t d = a.d;
  std::vector<T> inverse;
  inverse_deviation(a, inverse);
  std::vector<T> center(d);
  for (std::size_t c = 0; c < d; ++c) center[c] = static_cast<T>(a.mean[c]);
  std::vector<double> slope(d, 0.0), slope_y(d, 0.0);
  for (std::size_t row = 0; row < a.num_rows; ++row) {
    const T* const __restrict x = a.x + row * d;
    const T* const __restrict out = a.out + row * d;
    const T* const __restrict dout = a.dout + row * d;
    for (std::size_t c = 0; c < d; ++c) {
      const T g = out[c] > 0 ? dout[c] : T(0);
      slope[c] += static_cast<double>(g);
      slope_y[c] += static_cast<double>(g * ((x[c] - center[c]) * inverse[c]));
    }
  }
  for (std::size_t c = 0; c < d; ++c) {
    a.dshift[c] = static_cast<T>(slope[c]);
    a.dscale[c] = static_cast<T>(slope_y[c]);
  }
  if (a.num_rows == 0) return;
  // Mean and variance move with x too, by its share of the weight.
  const double share = 1 / total_weight(a);
  std::vector<T> factor(d), mean_slope(d), y_slope(d);
  for (std::size_t c = 0; c < d; ++c) {
    factor[c] = inverse[c] * a.scale[c];
    mean_slope[c] = static_cast<T>(slope[c] * share);
    y_slope[c] = static_cast<T>(slope_y[c] * share);
  }
  for (std::size_t row = 0; row < a.num_rows; ++row) {
    const T* const __restrict x = a.x + row * d;
    const T* const __restrict out = a.out + row * d;
    const T* const __restrict dout = a.dout + row * d;
    T* const __restrict dx = a.dx + row * d;
    const T w = a.weights[row];
    for (std::size_t c = 0; c < d; ++c) {
      const T g = out[c] > 0 ? dout[c] : T(0);
      const T y = (x[c] - center[c]) * inverse[c];
      dx[c] = factor[c] * (g - w * (mean_slope[c] + y * y_slope[c]));
    }
  }
}

template void weighted_norm(const WeightedNormArgs<float>& args);
template void weighted_norm(const WeightedNormArgs<double>& args);
template void weighted_norm_backward(const WeightedNormArgs<float>& args);
template void weighted_norm_backward(const WeightedNormArgs<double>& args);

}  // namespace twofold::compute
