#include "twofold/wl/tuple_sums.h"

#include "twofold/base/simd_targets.h"
#include "twofold/wl/mix.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/wl/tuple_sums.cpp"
#include <hwy/foreach_target.h>
// After it, so that it is compiled once for every kind of CPU.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twofold::wl::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes64 = hn::CappedTag<std::uint64_t, kTableLanes>;
using Vector = hn::Vec<Lanes64>;

HWY_INLINE Vector product(Vector a, Vector b) {
  const Lanes64 d;
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, pair_product(hn::GetLane(a), hn::GetLane(b)));
#else
  const hn::Repartition<std::uint32_t, Lanes64> halves;
  const auto sums = hn::Add(hn::BitCast(halves, a), hn::BitCast(halves, b));
  const auto highs = hn::BitCast(halves, hn::ShiftRight<32>(hn::BitCast(d, sums)));
  return hn::MulEven(sums, highs);
#endif
}

HWY_INLINE Vector fold(Vector x) { return hn::Xor(x, hn::ShiftRight<32>(x)); }

// kBlock rows c, c+1, … at once.
template <std::size_t kBlock, std::size_t kOthers>
HWY_INLINE void sum_rows(const TupleSumsArgs& args, std::size_t c) {
  const Lanes64 d;
  const std::size_t stride = args.stride;
  const std::size_t num_others = kOthers > 0 ? kOthers : args.num_others;
  Vector sums[kBlock];
  for (std::size_t b = 0; b < kBlock; ++b) sums[b] = hn::Zero(d);
  for (std::size_t w = 0; w < stride; w += hn::Lanes(d)) {
    const Vector last = hn::LoadU(d, args.last + w);
    for (std::size_t b = 0; b < kBlock; ++b) {
      Vector x = product(last, hn::LoadU(d, args.others[0] + (c + b) * stride + w));
      for (std::size_t j = 1; j < num_others; ++j)
        x = product(fold(x), hn::LoadU(d, args.others[j] + (c + b) * stride + w));
      sums[b] = hn::Add(sums[b], x);
    }
  }
  for (std::size_t b = 0; b < kBlock; ++b) args.sums[c + b] = hn::GetLane(hn::SumOfLanes(d, sums[b]));
}

template <std::size_t kOthers>
void sum_all(const TupleSumsArgs& args) {
  std::size_t c = 0;
  for (; c + 4 <= args.n; c += 4) sum_rows<4, kOthers>(args, c);
  for (; c < args.n; ++c) sum_rows<1, kOthers>(args, c);
}

void tuple_sums_here(const TupleSumsArgs& args) {
  switch (args.num_others) {
    case 1:
      return sum_all<1>(args);
    case 2:
      return sum_all<2>(args);
    default:
      return sum_all<0>(args);
  }
}

}  // namespace
}  // namespace twofold::wl::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twofold::wl {

HWY_EXPORT(tuple_sums_here);
void tuple_sums(const TupleSumsArgs& args) { HWY_DYNAMIC_DISPATCH(tuple_sums_here)(args); }

}  // namespace twofold::wl
#endif
