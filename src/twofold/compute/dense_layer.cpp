#include "twofold/compute/dense_layer.h"

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

HWY_EXPORT(ForwardF32);
HWY_EXPORT(ForwardF64);
HWY_EXPORT(BackwardF32);
HWY_EXPORT(BackwardF64);

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
