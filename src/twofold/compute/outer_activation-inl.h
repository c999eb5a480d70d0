// Activations of single values and their slopes from what they gave (gelu, silu: from what went in), compiled
// once a SIMD target.
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

// (1 + tanh(u)) / 2 = logistic(2 u), so gelu is x logistic(2 u), u = sqrt(2/pi) (x + 0.044715 x^3).
constexpr double kGeluSlope = 1.5957691216057308;  // 2 sqrt(2/pi)
constexpr double kGeluCubic = 0.044715;
template <class D, class V>
HWY_INLINE V GeluInner(D d, V x) {
  const V square = hn::Mul(x, x);
  const V one = hn::Set(d, 1);
  const V cubic = hn::MulAdd(hn::Set(d, static_cast<hn::TFromD<D>>(kGeluCubic)), square, one);
  return hn::Mul(hn::Mul(hn::Set(d, static_cast<hn::TFromD<D>>(kGeluSlope)), x), cubic);
}

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
  if constexpr (kAct == Activation::kSilu) return hn::Mul(x, Activate<Activation::kLogistic>(d, x));
  if constexpr (kAct == Activation::kGelu)
    return hn::Mul(x, Activate<Activation::kLogistic>(d, GeluInner(d, x)));
  return x;
}

template <Activation kAct, class D, class V>
HWY_INLINE V TimesSlope(D d, V g, V y) {
  if constexpr (kAct == Activation::kSilu) {
    // s + x s (1 - s)
    const V s = Activate<Activation::kLogistic>(d, y);
    return hn::Mul(g, hn::MulAdd(y, hn::NegMulAdd(s, s, s), s));
  }
  if constexpr (kAct == Activation::kGelu) {
    // s + x s (1 - s) u', with u' = slope (1 + 3 cubic x^2)
    const V s = Activate<Activation::kLogistic>(d, GeluInner(d, y));
    const V three = hn::Set(d, static_cast<hn::TFromD<D>>(3 * kGeluCubic));
    const V inner = hn::Mul(hn::Set(d, static_cast<hn::TFromD<D>>(kGeluSlope)),
                            hn::MulAdd(three, hn::Mul(y, y), hn::Set(d, 1)));
    return hn::Mul(g, hn::MulAdd(hn::Mul(y, inner), hn::NegMulAdd(s, s, s), s));
  }
  if constexpr (kAct == Activation::kRelu) return hn::IfThenElseZero(hn::Gt(y, hn::Zero(d)), g);
  if constexpr (kAct == Activation::kLogistic) return hn::Mul(g, hn::NegMulAdd(y, y, y));
  if constexpr (kAct == Activation::kTanh) return hn::Mul(g, hn::NegMulAdd(y, y, hn::Set(d, 1)));
  return g;
}

// Those whose slope follows from what they gave.
template <class F>
auto WithActivation(Activation activation, const F& body) {
  switch (activation) {
    case Activation::kRelu:
      return body(std::integral_constant<Activation, Activation::kRelu>());
    case Activation::kLogistic:
      return body(std::integral_constant<Activation, Activation::kLogistic>());
    case Activation::kTanh:
      return body(std::integral_constant<Activation, Activation::kTanh>());
    default:
      break;
  }
  return body(std::integral_constant<Activation, Activation::kIdentity>());
}

template <class F>
auto WithAnyActivation(Activation activation, const F& body) {
  if (activation == Activation::kGelu) return body(std::integral_constant<Activation, Activation::kGelu>());
  if (activation == Activation::kSilu) return body(std::integral_constant<Activation, Activation::kSilu>());
  return WithActivation(activation, body);
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
