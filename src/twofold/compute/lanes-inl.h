// Loops over the values of a row by whole vectors and one part of a vector, compiled once a SIMD target.
#if defined(TWOFOLD_COMPUTE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOFOLD_COMPUTE_LANES_INL_H_
#undef TWOFOLD_COMPUTE_LANES_INL_H_
#else
#define TWOFOLD_COMPUTE_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A whole vector, or the first lanes of one: masked stores cost many times a plain one on some machines.
struct WholeVector {
  template <class D, typename T>
  HWY_INLINE hn::Vec<D> Load(D tag, const T* from) const {
    return hn::LoadU(tag, from);
  }
  template <class D, class V, typename T>
  HWY_INLINE void Store(D tag, V v, T* to) const {
    hn::StoreU(v, tag, to);
  }
};
template <class M>
struct PartOfVector {
  M mask;
  // Zeros behind.
  template <class D, typename T>
  HWY_INLINE hn::Vec<D> Load(D tag, const T* from) const {
    return hn::MaskedLoad(mask, tag, from);
  }
  template <class D, class V, typename T>
  HWY_INLINE void Store(D tag, V v, T* to) const {
    hn::BlendedStore(v, mask, tag, to);
  }
};

// Calls body(WholeVector or PartOfVector, first value) for vectors that cover d values.
template <class D, class F>
HWY_INLINE void ForVectors(D tag, std::size_t d, const F& body) {
  const std::size_t N = hn::Lanes(tag);
  std::size_t at = 0;
  for (; at + N <= d; at += N) body(WholeVector{}, at);
  if (at < d) body(PartOfVector<hn::Mask<D>>{hn::FirstN(tag, d - at)}, at);
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
