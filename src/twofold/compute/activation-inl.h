// The activations as vector code, compiled once a SIMD target. An Op says what a row is prepared as, and then
//   AddValue(acc, a, b)        acc + act(x_a + x_b)              of two prepared rows
//   AddSlope(acc, g, own, b)   acc + g * act'(x_e + x_b)         with own = Own(prepared row e)
//   TimesSlope(g, own, b)      g * act'(x_e + x_b)
// so that what belongs to a row alone is done once per row and not once per triple.
#if defined(TWOFOLD_COMPUTE_ACTIVATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOFOLD_COMPUTE_ACTIVATION_INL_H_
#undef TWOFOLD_COMPUTE_ACTIVATION_INL_H_
#else
#define TWOFOLD_COMPUTE_ACTIVATION_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct IdentityOp {
  template <class D, class V>
  static HWY_INLINE V Value(D, V a, V b) {
    return hn::Add(a, b);
  }
  template <class D, class V>
  static HWY_INLINE V AddValue(D, V acc, V a, V b) {
    return hn::Add(acc, hn::Add(a, b));
  }
  template <class D, class V>
  static HWY_INLINE V Own(D, V e) {
    return e;
  }
  template <class D, class V>
  static HWY_INLINE V AddSlope(D, V acc, V g, V, V) {
    return hn::Add(acc, g);
  }
  template <class D, class V>
  static HWY_INLINE V TimesSlope(D, V g, V, V) {
    return g;
  }
};

struct ReluOp {
  template <class D, class V>
  static HWY_INLINE V Value(D d, V a, V b) {
    return hn::Max(hn::Add(a, b), hn::Zero(d));
  }
  template <class D, class V>
  static HWY_INLINE V AddValue(D d, V acc, V a, V b) {
    return hn::Add(acc, Value(d, a, b));
  }
  template <class D, class V>
  static HWY_INLINE V Own(D, V e) {
    return hn::Neg(e);
  }
  // x_e + x_b > 0 as x_b > -x_e: one operation less, and rounding cannot make them differ.
  template <class D, class V>
  static HWY_INLINE V AddSlope(D, V acc, V g, V minus_e, V b) {
    return hn::Add(acc, hn::IfThenElseZero(hn::Gt(b, minus_e), g));
  }
  template <class D, class V>
  static HWY_INLINE V TimesSlope(D, V g, V minus_e, V b) {
    return hn::IfThenElseZero(hn::Gt(b, minus_e), g);
  }
};

// Rows are prepared as u = exp(-x), so that act(x_a + x_b) = 1 / (1 + u_a u_b) needs no exponential a triple.
// Good while |x| <= kLogisticLimit: products then neither overflow nor lose their last bits to denormals.
struct LogisticOp {
  // One step of Newton doubles the 11.4 good bits (12 and more on AVX-512) of x86's estimate; other machines
  // estimate less well or not at all, and divide.
  template <class D, class V>
  static HWY_INLINE V Inverse(D d, V x) {
#if HWY_ARCH_X86
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      const V r = hn::ApproximateReciprocal(x);
      return hn::Mul(r, hn::NegMulAdd(x, r, hn::Set(d, 2)));
    }
#endif
    return hn::Div(hn::Set(d, 1), x);
  }
  template <class D, class V>
  static HWY_INLINE V Value(D d, V a, V b) {
    return Inverse(d, hn::MulAdd(a, b, hn::Set(d, 1)));
  }
  template <class D, class V>
  static HWY_INLINE V AddValue(D d, V acc, V a, V b) {
    const V x = hn::MulAdd(a, b, hn::Set(d, 1));
#if HWY_ARCH_X86
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      const V r = hn::ApproximateReciprocal(x);
      return hn::MulAdd(r, hn::NegMulAdd(x, r, hn::Set(d, 2)), acc);
    }
#endif
    return hn::Add(acc, hn::Div(hn::Set(d, 1), x));
  }
  template <class D, class V>
  static HWY_INLINE V Own(D, V e) {
    return e;
  }
  template <class D, class V>
  static HWY_INLINE V AddSlope(D d, V acc, V g, V e, V b) {
    const V s = Value(d, e, b);
    return hn::MulAdd(g, hn::NegMulAdd(s, s, s), acc);
  }
  template <class D, class V>
  static HWY_INLINE V TimesSlope(D d, V g, V e, V b) {
    const V s = Value(d, e, b);
    return hn::Mul(g, hn::NegMulAdd(s, s, s));
  }
};

// The same from x itself, by one exponential a triple, for rows of any size: exp(-|x|) never overflows.
struct ExactLogisticOp {
  template <class D, class V>
  static HWY_INLINE V Value(D d, V a, V b) {
    const V x = hn::Add(a, b);
    const V e = hn::Exp(d, hn::Neg(hn::Abs(x)));
    const V high = hn::Div(hn::Set(d, 1), hn::Add(hn::Set(d, 1), e));
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(e, high), high);
  }
  template <class D, class V>
  static HWY_INLINE V AddValue(D d, V acc, V a, V b) {
    return hn::Add(acc, Value(d, a, b));
  }
  template <class D, class V>
  static HWY_INLINE V Own(D, V e) {
    return e;
  }
  template <class D, class V>
  static HWY_INLINE V AddSlope(D d, V acc, V g, V own, V b) {
    const V e = hn::Exp(d, hn::Neg(hn::Abs(hn::Add(own, b))));
    const V high = hn::Div(hn::Set(d, 1), hn::Add(hn::Set(d, 1), e));
    return hn::MulAdd(hn::Mul(g, e), hn::Mul(high, high), acc);
  }
  template <class D, class V>
  static HWY_INLINE V TimesSlope(D d, V g, V own, V b) {
    const V e = hn::Exp(d, hn::Neg(hn::Abs(hn::Add(own, b))));
    const V high = hn::Div(hn::Set(d, 1), hn::Add(hn::Set(d, 1), e));
    return hn::Mul(hn::Mul(g, e), hn::Mul(high, high));
  }
};

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
