#include "twofold/compute/batch_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "twofold/base/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/compute/batch_norm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Behind foreach_target.h, which a sorted block of includes would not leave it.
#include "twofold/compute/lanes-inl.h"

#ifndef TWOFOLD_COMPUTE_BATCH_NORM_ONCE
#define TWOFOLD_COMPUTE_BATCH_NORM_ONCE
namespace twofold::compute {

template <typename T>
double total_weight(const BatchNormArgs<T>& a) {
  double total = 0;
  if (a.weights == nullptr) return static_cast<double>(a.num_rows);
  for (std::size_t row = 0; row < a.num_rows; ++row) total += static_cast<double>(a.weights[row]);
  return total;
}

template <typename T>
double weight_of(const BatchNormArgs<T>& a, std::size_t row) {
  return a.weights == nullptr ? 1.0 : static_cast<double>(a.weights[row]);
}

// The batch's numbers in T, d each.
template <typename T>
struct NormColumns {
  explicit NormColumns(const BatchNormArgs<T>& a) : center(a.d), inverse(a.d), factor(a.d) {
    for (std::size_t c = 0; c < a.d; ++c) {
      center[c] = static_cast<T>(a.mean[c]);
      inverse[c] = static_cast<T>(1 / std::sqrt(a.variance[c] + a.epsilon));
      factor[c] = inverse[c] * a.scale[c];
    }
  }
  std::vector<T> center;
  std::vector<T> inverse;
  std::vector<T> factor;
};

}  // namespace twofold::compute
#endif

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A vector of T as one or two of double; one has zeros in `high`.
using DoubleTag = hn::ScalableTag<double>;
using Doubles = hn::Vec<DoubleTag>;
struct Wide {
  Doubles low;
  Doubles high;
};
template <class D>
constexpr bool kIsTwo = sizeof(hn::TFromD<D>) != sizeof(double) && HWY_TARGET != HWY_SCALAR;

template <class D, class V>
HWY_INLINE Wide Widen(D, V x) {
  const DoubleTag wide;
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(double)) {
    return {x, hn::Zero(wide)};
  } else {
#if HWY_TARGET == HWY_SCALAR
    return {hn::PromoteTo(wide, x), hn::Zero(wide)};
#else
    const hn::Half<D> half;
    return {hn::PromoteTo(wide, hn::LowerHalf(half, x)), hn::PromoteTo(wide, hn::UpperHalf(half, x))};
#endif
  }
}

// Sums in double of each column, with room for whole vectors behind the last.
template <class D>
class ColumnSums {
 public:
  explicit ColumnSums(std::size_t d) : sums_(d + hn::Lanes(D()), 0.0) {}

  HWY_INLINE Wide Load(std::size_t at) const {
    const DoubleTag wide;
    const Doubles low = hn::LoadU(wide, &sums_[at]);
    if constexpr (kIsTwo<D>)
      return {low, hn::LoadU(wide, &sums_[at] + hn::Lanes(wide))};
    else
      return {low, hn::Zero(wide)};
  }
  HWY_INLINE void Store(const Wide& sum, std::size_t at) {
    const DoubleTag wide;
    hn::StoreU(sum.low, wide, &sums_[at]);
    if constexpr (kIsTwo<D>) hn::StoreU(sum.high, wide, &sums_[at] + hn::Lanes(wide));
  }
  double operator[](std::size_t c) const { return sums_[c]; }

 private:
  std::vector<double> sums_;
};

// Calls body(lanes, column, first row, end) so that a block of rows stays in the first-level cache.
template <class D, class F>
HWY_INLINE void ForBlocks(D tag, std::size_t rows, std::size_t d, const F& body) {
  constexpr std::size_t kBlock = 64;
  for (std::size_t first = 0; first < rows; first += kBlock)
    ForVectors(tag, d, [&](auto lanes, std::size_t at) HWY_ATTR {
      body(lanes, at, first, std::min(first + kBlock, rows));
    });
}

template <typename T>
void Statistics(BatchNormArgs<T>& a) {
  using Tag = hn::ScalableTag<T>;
  const Tag tag;
  const DoubleTag wide;
  const std::size_t d = a.d;
  std::fill_n(a.mean, d, 0.0);
  std::fill_n(a.variance, d, 0.0);
  a.total = total_weight(a);
  if (a.num_rows == 0) return;
  const double share = 1 / a.total;
  ColumnSums<Tag> means(d), squares(d), centers(d);
  ForBlocks(tag, a.num_rows, d, [&](auto lanes, std::size_t at, std::size_t first, std::size_t end) HWY_ATTR {
    Wide sum = means.Load(at);
    for (std::size_t row = first; row < end; ++row) {
      const auto w = hn::Set(wide, weight_of(a, row));
      const Wide x = Widen(tag, lanes.Load(tag, a.x + row * d + at));
      sum.low = hn::MulAdd(w, x.low, sum.low);
      sum.high = hn::MulAdd(w, x.high, sum.high);
    }
    means.Store(sum, at);
  });
  const Doubles times = hn::Set(wide, share);
  ForVectors(tag, d, [&](auto, std::size_t at) HWY_ATTR {
    const Wide sum = means.Load(at);
    centers.Store({hn::Mul(sum.low, times), hn::Mul(sum.high, times)}, at);
  });
  ForBlocks(tag, a.num_rows, d, [&](auto lanes, std::size_t at, std::size_t first, std::size_t end) HWY_ATTR {
    const Wide center = centers.Load(at);
    Wide sum = squares.Load(at);
    for (std::size_t row = first; row < end; ++row) {
      const auto w = hn::Set(wide, weight_of(a, row));
      const Wide x = Widen(tag, lanes.Load(tag, a.x + row * d + at));
      const auto low = hn::Sub(x.low, center.low), high = hn::Sub(x.high, center.high);
      sum.low = hn::MulAdd(hn::Mul(w, low), low, sum.low);
      sum.high = hn::MulAdd(hn::Mul(w, high), high, sum.high);
    }
    squares.Store(sum, at);
  });
  for (std::size_t c = 0; c < d; ++c) {
    a.mean[c] = centers[c];
    a.variance[c] = squares[c] * share;
  }
}

template <typename T>
void Forward(const BatchNormArgs<T>& a) {
  const hn::ScalableTag<T> tag;
  const std::size_t d = a.d;
  const NormColumns<T> columns(a);
  ForBlocks(tag, a.num_rows, d, [&](auto lanes, std::size_t at, std::size_t first, std::size_t end) HWY_ATTR {
    const auto center = lanes.Load(tag, &columns.center[at]), factor = lanes.Load(tag, &columns.factor[at]);
    const auto shift = lanes.Load(tag, a.shift + at);
    for (std::size_t row = first; row < end; ++row) {
      const auto x = lanes.Load(tag, a.x + row * d + at);
      const auto value = hn::MulAdd(hn::Sub(x, center), factor, shift);
      // Not a maximum, which would make a 0 of what is no number.
      lanes.Store(tag, a.relu ? hn::IfThenZeroElse(hn::Lt(value, hn::Zero(tag)), value) : value,
                  a.out + row * d + at);
    }
  });
}

// The gradient behind relu.
template <class L, class D, typename T>
HWY_INLINE hn::Vec<D> SlopeAt(L lanes, D tag, const BatchNormArgs<T>& a, std::size_t place) {
  const auto g = lanes.Load(tag, a.dout + place);
  if (!a.relu) return g;
  return hn::IfThenElseZero(hn::Gt(lanes.Load(tag, a.out + place), hn::Zero(tag)), g);
}

template <typename T>
void Slopes(const BatchNormArgs<T>& a) {
  using Tag = hn::ScalableTag<T>;
  const Tag tag;
  const std::size_t d = a.d;
  const NormColumns<T> columns(a);
  ColumnSums<Tag> slopes(d), y_slopes(d);
  ForBlocks(tag, a.num_rows, d, [&](auto lanes, std::size_t at, std::size_t first, std::size_t end) HWY_ATTR {
    const auto center = lanes.Load(tag, &columns.center[at]), inverse = lanes.Load(tag, &columns.inverse[at]);
    Wide sum = slopes.Load(at), y_sum = y_slopes.Load(at);
    for (std::size_t row = first; row < end; ++row) {
      const auto g = SlopeAt(lanes, tag, a, row * d + at);
      const auto y = hn::Mul(hn::Sub(lanes.Load(tag, a.x + row * d + at), center), inverse);
      const Wide one = Widen(tag, g), other = Widen(tag, hn::Mul(g, y));
      sum = {hn::Add(sum.low, one.low), hn::Add(sum.high, one.high)};
      y_sum = {hn::Add(y_sum.low, other.low), hn::Add(y_sum.high, other.high)};
    }
    slopes.Store(sum, at);
    y_slopes.Store(y_sum, at);
  });
  for (std::size_t c = 0; c < d; ++c) {
    a.slopes[c] = slopes[c];
    a.y_slopes[c] = y_slopes[c];
  }
}

template <typename T>
void Backward(const BatchNormArgs<T>& a) {
  const hn::ScalableTag<T> tag;
  const std::size_t d = a.d;
  if (a.num_rows == 0) return;
  const NormColumns<T> columns(a);
  // Mean and variance move with x too, by its share of the weight.
  const double share = 1 / a.total;
  std::vector<T> mean_slope(d), y_slope(d);
  for (std::size_t c = 0; c < d; ++c) {
    mean_slope[c] = static_cast<T>(a.slopes[c] * share);
    y_slope[c] = static_cast<T>(a.y_slopes[c] * share);
  }
  ForBlocks(tag, a.num_rows, d, [&](auto lanes, std::size_t at, std::size_t first, std::size_t end) HWY_ATTR {
    const auto center = lanes.Load(tag, &columns.center[at]), inverse = lanes.Load(tag, &columns.inverse[at]);
    const auto factor = lanes.Load(tag, &columns.factor[at]);
    const auto by_mean = lanes.Load(tag, &mean_slope[at]), by_y = lanes.Load(tag, &y_slope[at]);
    for (std::size_t row = first; row < end; ++row) {
      const auto y = hn::Mul(hn::Sub(lanes.Load(tag, a.x + row * d + at), center), inverse);
      const auto w = hn::Set(tag, static_cast<T>(weight_of(a, row)));
      const auto g = hn::NegMulAdd(w, hn::MulAdd(y, by_y, by_mean), SlopeAt(lanes, tag, a, row * d + at));
      lanes.Store(tag, hn::Mul(factor, g), a.dx + row * d + at);
    }
  });
}

void StatisticsF32(BatchNormArgs<float>& args) { Statistics(args); }
void StatisticsF64(BatchNormArgs<double>& args) { Statistics(args); }
void ForwardF32(const BatchNormArgs<float>& args) { Forward(args); }
void ForwardF64(const BatchNormArgs<double>& args) { Forward(args); }
void SlopesF32(const BatchNormArgs<float>& args) { Slopes(args); }
void SlopesF64(const BatchNormArgs<double>& args) { Slopes(args); }
void BackwardF32(const BatchNormArgs<float>& args) { Backward(args); }
void BackwardF64(const BatchNormArgs<double>& args) { Backward(args); }

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twofold::compute {

HWY_EXPORT(StatisticsF32);
HWY_EXPORT(StatisticsF64);
HWY_EXPORT(ForwardF32);
HWY_EXPORT(ForwardF64);
HWY_EXPORT(SlopesF32);
HWY_EXPORT(SlopesF64);
HWY_EXPORT(BackwardF32);
HWY_EXPORT(BackwardF64);

template <>
void batch_norm_statistics(BatchNormArgs<float>& args) {
  HWY_DYNAMIC_DISPATCH(StatisticsF32)(args);
}
template <>
void batch_norm_statistics(BatchNormArgs<double>& args) {
  HWY_DYNAMIC_DISPATCH(StatisticsF64)(args);
}
template <>
void batch_norm(const BatchNormArgs<float>& args) {
  HWY_DYNAMIC_DISPATCH(ForwardF32)(args);
}
template <>
void batch_norm(const BatchNormArgs<double>& args) {
  HWY_DYNAMIC_DISPATCH(ForwardF64)(args);
}
template <>
void batch_norm_slopes(const BatchNormArgs<float>& args) {
  HWY_DYNAMIC_DISPATCH(SlopesF32)(args);
}
template <>
void batch_norm_slopes(const BatchNormArgs<double>& args) {
  HWY_DYNAMIC_DISPATCH(SlopesF64)(args);
}
template <>
void batch_norm_backward(const BatchNormArgs<float>& args) {
  HWY_DYNAMIC_DISPATCH(BackwardF32)(args);
}
template <>
void batch_norm_backward(const BatchNormArgs<double>& args) {
  HWY_DYNAMIC_DISPATCH(BackwardF64)(args);
}

}  // namespace twofold::compute
#endif
