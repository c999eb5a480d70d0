// Loops over the values of a row by whole vectors and one part of a vector, compiled once a SIMD target.
#if defined(TWOFOLD_COMPUTE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOFOLD_COMPUTE_LANES_INL_H_
#undef TWOFOLD_COMPUTE_LANES_INL_H_
#else
#define TWOFOLD_COMPUTE_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A whole vector, or the first lanes of one: masked stores cost many times a plain one on some machines. Any
// address will do, and memory behind the lanes is neither read nor written.
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
template <class D>
struct MaskedPart {
  using T = hn::TFromD<D>;
  hn::Mask<D> mask;
  HWY_INLINE MaskedPart(D tag, std::size_t count) : mask(hn::FirstN(tag, count)) {}
  // Zeros behind.
  HWY_INLINE hn::Vec<D> Load(D tag, const T* from) const { return hn::MaskedLoad(mask, tag, from); }
  HWY_INLINE void Store(D tag, hn::Vec<D> v, T* to) const { hn::BlendedStore(v, mask, tag, to); }
};
template <class D>
struct CopiedPart {
  using T = hn::TFromD<D>;
  std::size_t count;
  HWY_INLINE CopiedPart(D, std::size_t lanes) : count(lanes) {}
  HWY_INLINE hn::Vec<D> Load(D tag, const T* from) const {
    HWY_ALIGN T lanes[hn::MaxLanes(D())];
    for (std::size_t lane = 0; lane < hn::MaxLanes(D()); ++lane) lanes[lane] = lane < count ? from[lane] : T{0};
    return hn::Load(tag, lanes);
  }
  HWY_INLINE void Store(D tag, hn::Vec<D> v, T* to) const {
    HWY_ALIGN T lanes[hn::MaxLanes(D())];
    hn::Store(v, tag, lanes);
    for (std::size_t lane = 0; lane < hn::MaxLanes(D()); ++lane)
      if (lane < count) to[lane] = lanes[lane];
  }
};
// Not every target has masked loads and stores of floats and doubles. On those without, Highway loads the whole
// vector, which may lie behind the end of the buffer, before AVX2 even from an aligned address only; and NEON
// writes it back, over what another thread may have written meanwhile.
template <class D>
using PartOfVector =
    std::conditional_t<HWY_TARGET == HWY_AVX2 || !HWY_MEM_OPS_MIGHT_FAULT, MaskedPart<D>, CopiedPart<D>>;

// Calls body(WholeVector or PartOfVector, first value) for vectors that cover d values.
template <class D, class F>
HWY_INLINE void ForVectors(D tag, std::size_t d, const F& body) {
  const std::size_t N = hn::Lanes(tag);
  std::size_t at = 0;
  for (; at + N <= d; at += N) body(WholeVector{}, at);
  if (at < d) body(PartOfVector<D>(tag, d - at), at);
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
