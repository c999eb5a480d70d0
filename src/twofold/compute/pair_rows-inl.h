// One row's sum over a list of triples, and its gradient, compiled once a SIMD target.
// A row of features is cut into strips of up to four vectors that stay in registers while the list is walked.
#if defined(TWOFOLD_COMPUTE_PAIR_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOFOLD_COMPUTE_PAIR_ROWS_INL_H_
#undef TWOFOLD_COMPUTE_PAIR_ROWS_INL_H_
#else
#define TWOFOLD_COMPUTE_PAIR_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include "twofold/compute/activation-inl.h"
#include "twofold/compute/lanes-inl.h"
#include "twofold/pairs/pair_set.h"

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most a cache line, to which the rows of prepared buffers are padded.
template <typename T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;

// Writes the first `count` lanes, at least one.
template <class D, class V, typename T>
HWY_INLINE void StoreSome(D d, V v, T* to, std::size_t count) {
  if (HWY_LIKELY(count >= hn::Lanes(d)))
    hn::StoreU(v, d, to);
  else
    PartOfVector<D>(d, count).Store(d, v, to);
}

// Four accumulators, the last 4 - NV of them unused. Named one by one, since vectors of some targets have no
// size and make no arrays.
template <class D>
struct Strip {
  using V = hn::Vec<D>;
  V v0, v1, v2, v3;
};

template <int NV, class D, class F>
HWY_INLINE void UpdateStrip(D d, Strip<D>& strip, const F& next) {
  const std::size_t N = hn::Lanes(d);
  strip.v0 = next(strip.v0, 0 * N);
  if constexpr (NV > 1) strip.v1 = next(strip.v1, 1 * N);
  if constexpr (NV > 2) strip.v2 = next(strip.v2, 2 * N);
  if constexpr (NV > 3) strip.v3 = next(strip.v3, 3 * N);
}

template <class D>
HWY_INLINE Strip<D> ZeroStrip(D d) {
  const auto zero = hn::Zero(d);
  return {zero, zero, zero, zero};
}

template <int NV, class D, typename T>
HWY_INLINE void StoreStrip(D d, const Strip<D>& strip, T* to, std::size_t count) {
  const std::size_t N = hn::Lanes(d);
  if constexpr (NV > 1) hn::StoreU(strip.v0, d, to);
  if constexpr (NV > 2) hn::StoreU(strip.v1, d, to + N);
  if constexpr (NV > 3) hn::StoreU(strip.v2, d, to + 2 * N);
  StoreSome(d,
            NV == 1   ? strip.v0
            : NV == 2 ? strip.v1
            : NV == 3 ? strip.v2
                      : strip.v3,
            to + (NV - 1) * N, count - (NV - 1) * N);
}

// Calls body(integral constant NV, first feature) for strips that cover d features.
template <class D, class F>
HWY_INLINE void ForStrips(D d, std::size_t features, const F& body) {
  const std::size_t N = hn::Lanes(d);
  std::size_t at = 0;
  for (; at + 3 * N < features; at += 4 * N) body(std::integral_constant<int, 4>(), at);
  if (at >= features) return;
  if (features - at > 2 * N)
    body(std::integral_constant<int, 3>(), at);
  else if (features - at > N)
    body(std::integral_constant<int, 2>(), at);
  else
    body(std::integral_constant<int, 1>(), at);
}

// tanh(x) = 2 logistic(2x) - 1: sums of the former from sums of the latter (of rows prepared from 2x).
struct Finish {
  bool is_tanh;
  template <class D>
  HWY_INLINE void Sum(D d, Strip<D>& s, double count) const {
    if (!is_tanh) return;
    const auto two = hn::Set(d, 2);
    const auto n = hn::Set(d, static_cast<hn::TFromD<D>>(count));
    s = {hn::MulSub(s.v0, two, n), hn::MulSub(s.v1, two, n), hn::MulSub(s.v2, two, n),
         hn::MulSub(s.v3, two, n)};
  }
  template <class D>
  HWY_INLINE void Gradient(D d, Strip<D>& s) const {
    if (!is_tanh) return;
    const auto four = hn::Set(d, 4);
    s = {hn::Mul(s.v0, four), hn::Mul(s.v1, four), hn::Mul(s.v2, four), hn::Mul(s.v3, four)};
  }
};

// Where a block's rows are. z and g are prepared: padded and aligned, `stride` values per row.
template <typename T>
struct BlockRows {
  std::size_t d;
  std::size_t stride;
  const T* z;
  const T* g;
  T* out;
  std::size_t out_stride;
  Finish finish;
};

// out[row] = sum over the triples of act(z[a] + z[b]). Two loads and, for relu, three operations a triple and
// vector.
template <class Op, typename T>
HWY_INLINE void SumRow(const BlockRows<T>& rows, std::size_t row, const pairs::RowPair* triples,
                       std::size_t count) {
  const Tag<T> d;
  ForStrips(d, rows.d, [&](auto width, std::size_t at) HWY_ATTR {
    constexpr int NV = decltype(width)::value;
    Strip<Tag<T>> acc = ZeroStrip(d);
    const T* HWY_RESTRICT z = rows.z + at;
    for (std::size_t k = 0; k < count; ++k) {
      const T* HWY_RESTRICT a = z + triples[k].a * rows.stride;
      const T* HWY_RESTRICT b = z + triples[k].b * rows.stride;
      UpdateStrip<NV>(d, acc, [&](auto v, std::size_t c) HWY_ATTR {
        return Op::AddValue(d, v, hn::Load(d, a + c), hn::Load(d, b + c));
      });
    }
    rows.finish.Sum(d, acc, static_cast<double>(count));
    StoreStrip<NV>(d, acc, rows.out + row * rows.out_stride + at, rows.d - at);
  });
}

// The gradient of row e = {i,j}, i < j. Its triples are (ii, ij), (ij, jj), then (il, lj) for the other l:
//   dz_ij = sum over l != i, j of [ g_il act'(z_ij + z_lj) + g_lj act'(z_ij + z_il) ]
//           + g_ij [ act'(z_ij + z_ii) + act'(z_ij + z_jj) ] + 2 (g_ii + g_jj) act'(2 z_ij)
template <class Op, typename T>
HWY_INLINE void PairGradient(const BlockRows<T>& rows, std::size_t row, const pairs::RowPair* triples,
                             std::size_t count) {
  const Tag<T> d;
  ForStrips(d, rows.d, [&](auto width, std::size_t at) HWY_ATTR {
    constexpr int NV = decltype(width)::value;
    const std::size_t stride = rows.stride;
    const T* HWY_RESTRICT z = rows.z + at;
    const T* HWY_RESTRICT g = rows.g + at;
    Strip<Tag<T>> acc = ZeroStrip(d);
    Strip<Tag<T>> own = ZeroStrip(d);
    UpdateStrip<NV>(
        d, own, [&](auto, std::size_t c) HWY_ATTR { return Op::Own(d, hn::Load(d, z + row * stride + c)); });
    const std::size_t i = triples[0].a;
    const std::size_t j = triples[1].b;
    for (std::size_t k = 2; k < count; ++k) {
      const std::size_t a = triples[k].a * stride;
      const std::size_t b = triples[k].b * stride;
      const auto add = [&](auto v, auto e, std::size_t c) HWY_ATTR {
        v = Op::AddSlope(d, v, hn::Load(d, g + a + c), e, hn::Load(d, z + b + c));
        return Op::AddSlope(d, v, hn::Load(d, g + b + c), e, hn::Load(d, z + a + c));
      };
      const std::size_t N = hn::Lanes(d);
      acc.v0 = add(acc.v0, own.v0, 0 * N);
      if constexpr (NV > 1) acc.v1 = add(acc.v1, own.v1, 1 * N);
      if constexpr (NV > 2) acc.v2 = add(acc.v2, own.v2, 2 * N);
      if constexpr (NV > 3) acc.v3 = add(acc.v3, own.v3, 3 * N);
    }
    UpdateStrip<NV>(d, acc, [&](auto v, std::size_t c) HWY_ATTR {
      const auto z_row = hn::Load(d, z + row * stride + c);
      const auto g_row = hn::Load(d, g + row * stride + c);
      const auto e = Op::Own(d, z_row);
      const auto g_ends = hn::Add(hn::Load(d, g + i * stride + c), hn::Load(d, g + j * stride + c));
      v = Op::AddSlope(d, v, g_row, e, hn::Load(d, z + i * stride + c));
      v = Op::AddSlope(d, v, g_row, e, hn::Load(d, z + j * stride + c));
      return Op::AddSlope(d, v, hn::Add(g_ends, g_ends), e, z_row);
    });
    rows.finish.Gradient(d, acc);
    StoreStrip<NV>(d, acc, rows.out + row * rows.out_stride + at, rows.d - at);
  });
}

// The gradient of the loop {i,i}. Its triples are (ii, ii), then (il, il) for the other l:
//   dz_ii = 2 g_ii act'(2 z_ii) + sum over l != i of g_il act'(z_ii + z_il)
template <class Op, typename T>
HWY_INLINE void LoopGradient(const BlockRows<T>& rows, std::size_t row, const pairs::RowPair* triples,
                             std::size_t count) {
  const Tag<T> d;
  ForStrips(d, rows.d, [&](auto width, std::size_t at) HWY_ATTR {
    constexpr int NV = decltype(width)::value;
    const std::size_t stride = rows.stride;
    const T* HWY_RESTRICT z = rows.z + at;
    const T* HWY_RESTRICT g = rows.g + at;
    Strip<Tag<T>> acc = ZeroStrip(d);
    UpdateStrip<NV>(d, acc, [&](auto v, std::size_t c) HWY_ATTR {
      const auto z_row = hn::Load(d, z + row * stride + c);
      const auto g_row = hn::Load(d, g + row * stride + c);
      return Op::AddSlope(d, v, hn::Add(g_row, g_row), Op::Own(d, z_row), z_row);
    });
    for (std::size_t k = 1; k < count; ++k) {
      const std::size_t a = triples[k].a * stride;
      UpdateStrip<NV>(d, acc, [&](auto v, std::size_t c) HWY_ATTR {
        const auto e = Op::Own(d, hn::Load(d, z + row * stride + c));
        return Op::AddSlope(d, v, hn::Load(d, g + a + c), e, hn::Load(d, z + a + c));
      });
    }
    rows.finish.Gradient(d, acc);
    StoreStrip<NV>(d, acc, rows.out + row * rows.out_stride + at, rows.d - at);
  });
}

// out[row] = sum over the triples of times * act(z[a] + z[b]), the rows of z being those of the level before.
template <class Op, typename T>
HWY_INLINE void WeightedSumRow(const BlockRows<T>& rows, std::size_t row, const pairs::RowPair* triples,
                               const std::uint32_t* times, std::size_t count) {
  const Tag<T> d;
  double total = 0;
  for (std::size_t k = 0; k < count; ++k) total += times[k];
  ForStrips(d, rows.d, [&](auto width, std::size_t at) HWY_ATTR {
    constexpr int NV = decltype(width)::value;
    Strip<Tag<T>> acc = ZeroStrip(d);
    const T* HWY_RESTRICT z = rows.z + at;
    for (std::size_t k = 0; k < count; ++k) {
      const T* HWY_RESTRICT a = z + triples[k].a * rows.stride;
      const T* HWY_RESTRICT b = z + triples[k].b * rows.stride;
      const auto weight = hn::Set(d, static_cast<T>(times[k]));
      UpdateStrip<NV>(d, acc, [&](auto v, std::size_t c) HWY_ATTR {
        return hn::MulAdd(weight, Op::Value(d, hn::Load(d, a + c), hn::Load(d, b + c)), v);
      });
    }
    rows.finish.Sum(d, acc, total);
    StoreStrip<NV>(d, acc, rows.out + row * rows.out_stride + at, rows.d - at);
  });
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
