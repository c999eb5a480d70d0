// Activations of single values and their slopes from what they gave, compiled once a SIMD target.
// (activation-inl.h has those of a sum of two rows.)
#if defined(TWOFOLD_COMPUTE_OUTER_ACTIVATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOFOLD_COMPUTE_OUTER_ACTIVATION_INL_H_
#undef TWOFOLD_COMPUTE_OUTER_ACTIVATION_INL_H_
#else
#define TWOFOLD_COMPUTE_OUTER_ACTIVATION_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <type_traits>

#include "twofold/compute/activation.h"

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Activation kAct, class D, class V>
HWY_INLINE V Activate(D d, V x) {
  if constexpr (kAct == Activation::kRelu) return hn::Max(x, hn::Zero(d));
  if constexpr (kAct == Activation::kLogistic || kAct == Activation::kTanh) {
    // exp of minus the magnitude never overflows; tanh by the same, (1 - e^-2|x|) / (1 + e^-2|x|).
    const V one = hn::Set(d, 1);
    const V magnitude = hn::Abs(x);
    const V e = hn::Exp(d, hn::Neg(kAct == Activation::kTanh ? hn::Add(magnitude, magnitude) : magnitude));
    if constexpr (kAct == Activation::kTanh) return hn::CopySign(hn::Div(hn::Sub(one, e), hn::Add(one, e)), x);
    return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
  }
  return x;
}

template <Activation kAct, class D, class V>
HWY_INLINE V TimesSlope(D d, V g, V y) {
  if constexpr (kAct == Activation::kRelu) return hn::IfThenElseZero(hn::Gt(y, hn::Zero(d)), g);
  if constexpr (kAct == Activation::kLogistic) return hn::Mul(g, hn::NegMulAdd(y, y, y));
  if constexpr (kAct == Activation::kTanh) return hn::Mul(g, hn::NegMulAdd(y, y, hn::Set(d, 1)));
  return g;
}

template <class F>
auto WithActivation(Activation activation, const F& body) {
  switch (activation) {
    case Activation::kRelu:
      return body(std::integral_constant<Activation, Activation::kRelu>());
    case Activation::kLogistic:
      return body(std::integral_constant<Activation, Activation::kLogistic>());
    case Activation::kTanh:
      return body(std::integral_constant<Activation, Activation::kTanh>());
    case Activation::kIdentity:
      break;
  }
  return body(std::integral_constant<Activation, Activation::kIdentity>());
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
