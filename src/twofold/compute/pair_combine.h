#pragma once

#include <cstddef>
#include <cstdint>

#include "twofold/compute/activation.h"
#include "twofold/compute/pair_plan.h"

namespace twofold::compute {

/// The last line of the convolution (paper, Algorithm 1, line 9) and its gradient:
///   y[f,:] = act(local[e,:] + bias + filter[e,:] * sums[f,:]),   e the own row of f,
/// where local and filter are the first and second third of the products' rows, local | filter | gamma.
/// T is float or double; rows and strides as in PairSumArgs.
template <typename T>
struct PairCombineArgs {
  const PairPlan* plan = nullptr;
  Activation activation = Activation::kIdentity;
  std::size_t d = 0;
  // num_sources rows of 3d values, one after the other.
  const T* products = nullptr;
  // d values, or null for none.
  const T* bias = nullptr;
  // num_rows rows of d values.
  const T* sums = nullptr;
  std::size_t sums_stride = 0;
  // num_rows rows of d values, one after the other: written forward, read backward.
  T* y = nullptr;

  // Backward: the gradient of y, laid out as y, …
  const T* dy = nullptr;
  // … that of the products, whose first two thirds are written, …
  T* dproducts = nullptr;
  // … that of the sums: num_rows rows of d values …
  T* dsums = nullptr;
  std::size_t dsums_stride = 0;
  // … and that of the bias: d values, summed run by run of rows in their order. Null if not wanted.
  T* dbias = nullptr;

  // 0: all there are. Changes no bit.
  int threads = 1;
};

/// False if some y is not finite.
template <typename T>
bool pair_combine(const PairCombineArgs<T>& args);

/// Slopes come from y itself: y > 0, y (1 - y), 1 - y^2.
template <typename T>
void pair_combine_backward(const PairCombineArgs<T>& args);

}  // namespace twofold::compute
