#include "twofold/compute/dense_layer.h"

#include <limits>

#include "twofold/base/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/compute/dense_layer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Behind foreach_target.h, which a sorted block of includes would not leave it.
#include "twofold/compute/lanes-inl.h"
#include "twofold/compute/outer_activation-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Without its sign, what is not finite has at least the bits of infinity, which is quicker to find than what 0
// times it gives.
template <typename T>
bool AllFinite(std::size_t count, const T* values) {
  const hn::ScalableTag<T> tag;
  const hn::RebindToUnsigned<decltype(tag)> bits;
  const std::size_t N = hn::Lanes(tag);
  const auto magnitude = [&](auto x) HWY_ATTR { return hn::BitCast(bits, hn::Abs(x)); };
  auto most0 = hn::Zero(bits), most1 = most0, most2 = most0, most3 = most0;
  std::size_t at = 0;
  for (; at + 4 * N <= count; at += 4 * N) {
    most0 = hn::Max(most0, magnitude(hn::LoadU(tag, values + at)));
    most1 = hn::Max(most1, magnitude(hn::LoadU(tag, values + at + N)));
    most2 = hn::Max(most2, magnitude(hn::LoadU(tag, values + at + 2 * N)));
    most3 = hn::Max(most3, magnitude(hn::LoadU(tag, values + at + 3 * N)));
  }
  ForVectors(tag, count - at, [&](auto lanes, std::size_t behind) HWY_ATTR {
    most0 = hn::Max(most0, magnitude(lanes.Load(tag, values + at + behind)));
  });
  const auto most = hn::Max(hn::Max(most0, most1), hn::Max(most2, most3));
  const auto infinity = hn::BitCast(bits, hn::Set(tag, std::numeric_limits<T>::infinity()));
  return hn::AllTrue(bits, hn::Lt(most, infinity));
}

template <typename T>
void Forward(Activation activation, std::size_t rows, std::size_t d, const T* bias, T* y) {
  const hn::ScalableTag<T> tag;
  WithAnyActivation(activation, [&](auto act) HWY_ATTR {
    for (std::size_t row = 0; row < rows; ++row)
      ForVectors(tag, d, [&](auto lanes, std::size_t at) HWY_ATTR {
        T* place = y + row * d + at;
        auto x = lanes.Load(tag, place);
        if (bias != nullptr) x = hn::Add(x, lanes.Load(tag, bias + at));
        lanes.Store(tag, Activate<decltype(act)::value>(tag, x), place);
      });
  });
}

template <typename T>
void Backward(Activation activation, std::size_t rows, std::size_t d, const T* y, const T* dy, T* dx,
              T* dbias) {
  const hn::ScalableTag<T> tag;
  WithAnyActivation(activation, [&](auto act) HWY_ATTR {
    for (std::size_t row = 0; row < rows; ++row)
      ForVectors(tag, d, [&](auto lanes, std::size_t at) HWY_ATTR {
        const std::size_t place = row * d + at;
        const auto g =
            TimesSlope<decltype(act)::value>(tag, lanes.Load(tag, dy + place), lanes.Load(tag, y + place));
        lanes.Store(tag, g, dx + place);
        if (dbias != nullptr) lanes.Store(tag, hn::Add(g, lanes.Load(tag, dbias + at)), dbias + at);
      });
  });
}

bool AllFiniteF32(std::size_t count, const float* values) { return AllFinite(count, values); }
bool AllFiniteF64(std::size_t count, const double* values) { return AllFinite(count, values); }
void ForwardF32(Activation activation, std::size_t rows, std::size_t d, const float* bias, float* y) {
  Forward(activation, rows, d, bias, y);
}
void ForwardF64(Activation activation, std::size_t rows, std::size_t d, const double* bias, double* y) {
  Forward(activation, rows, d, bias, y);
}
void BackwardF32(Activation activation, std::size_t rows, std::size_t d, const float* y, const float* dy,
                 float* dx, float* dbias) {
  Backward(activation, rows, d, y, dy, dx, dbias);
}
void BackwardF64(Activation activation, std::size_t rows, std::size_t d, const double* y, const double* dy,
                 double* dx, double* dbias) {
  Backward(activation, rows, d, y, dy, dx, dbias);
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twofold::compute {

HWY_EXPORT(AllFiniteF32);
HWY_EXPORT(AllFiniteF64);
HWY_EXPORT(ForwardF32);
HWY_EXPORT(ForwardF64);
HWY_EXPORT(BackwardF32);
HWY_EXPORT(BackwardF64);

template <>
bool all_finite(std::size_t count, const float* values) {
  return HWY_DYNAMIC_DISPATCH(AllFiniteF32)(count, values);
}
template <>
bool all_finite(std::size_t count, const double* values) {
  return HWY_DYNAMIC_DISPATCH(AllFiniteF64)(count, values);
}
template <>
void activate_rows(Activation activation, std::size_t rows, std::size_t d, const float* bias, float* y) {
  HWY_DYNAMIC_DISPATCH(ForwardF32)(activation, rows, d, bias, y);
}
template <>
void activate_rows(Activation activation, std::size_t rows, std::size_t d, const double* bias, double* y) {
  HWY_DYNAMIC_DISPATCH(ForwardF64)(activation, rows, d, bias, y);
}
template <>
void activate_rows_backward(Activation activation, std::size_t rows, std::size_t d, const float* y,
                            const float* dy, float* dx, float* dbias) {
  HWY_DYNAMIC_DISPATCH(BackwardF32)(activation, rows, d, y, dy, dx, dbias);
}
template <>
void activate_rows_backward(Activation activation, std::size_t rows, std::size_t d, const double* y,
                            const double* dy, double* dx, double* dbias) {
  HWY_DYNAMIC_DISPATCH(BackwardF64)(activation, rows, d, y, dy, dx, dbias);
}

}  // namespace twofold::compute
#endif
