#include "twofold/compute/pair_scatter.h"

#include <algorithm>

#include "twofold/base/parallel.h"
#include "twofold/base/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/compute/pair_scatter.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Behind foreach_target.h, which a sorted block of includes would not leave it.
#include "twofold/compute/activation-inl.h"
#include "twofold/compute/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// All triples, kVectors vectors of channels of them; the last may be a part of one.
template <class Op, int kVectors, typename T, class L>
HWY_INLINE void ScatterTriples(const pairs::Level& level, const T* HWY_RESTRICT prepared, std::size_t stride,
                               const T* HWY_RESTRICT g, std::size_t g_stride, T factor, T* HWY_RESTRICT dz,
                               std::size_t dz_stride, L last) {
  const hn::ScalableTag<T> tag;
  const std::size_t N = hn::Lanes(tag);
  const auto zero = hn::Zero(tag);
  const auto times = hn::Set(tag, factor);
  for (std::size_t row = 0; row < level.num_rows(); ++row) {
    const T* slope = g + row * g_stride;
    // Rows of g are padded, as prepared ones are: whole vectors can be read.
    const auto g0 = hn::Mul(times, hn::LoadU(tag, slope));
    const auto g1 = kVectors > 1 ? hn::Mul(times, hn::LoadU(tag, slope + N)) : zero;
    const auto g2 = kVectors > 2 ? hn::Mul(times, hn::LoadU(tag, slope + 2 * N)) : zero;
    const auto g3 = kVectors > 3 ? hn::Mul(times, hn::LoadU(tag, slope + 3 * N)) : zero;
    for (std::size_t at = level.offsets[row]; at < level.offsets[row + 1]; ++at) {
      const pairs::RowPair triple = level.items[at];
      const auto count = hn::Set(tag, static_cast<T>(level.multiplicity[at]));
      const T* a = prepared + triple.a * stride;
      const T* b = prepared + triple.b * stride;
      T* da = dz + triple.a * dz_stride;
      T* db = dz + triple.b * dz_stride;
      const auto step = [&](std::size_t v, auto gv, auto lanes) HWY_ATTR {
        const auto s = Op::AddSlope(tag, zero, hn::Mul(gv, count), Op::Own(tag, hn::Load(tag, a + v * N)),
                                    hn::Load(tag, b + v * N));
        lanes.Store(tag, hn::Add(lanes.Load(tag, da + v * N), s), da + v * N);
        lanes.Store(tag, hn::Add(lanes.Load(tag, db + v * N), s), db + v * N);
      };
      if constexpr (kVectors == 1) {
        step(0, g0, last);
      } else if constexpr (kVectors == 2) {
        step(0, g0, WholeVector{});
        step(1, g1, last);
      } else if constexpr (kVectors == 3) {
        step(0, g0, WholeVector{});
        step(1, g1, WholeVector{});
        step(2, g2, last);
      } else {
        step(0, g0, WholeVector{});
        step(1, g1, WholeVector{});
        step(2, g2, WholeVector{});
        step(3, g3, last);
      }
    }
  }
}

template <class Op, typename T>
void ScatterStrip(const PairSumArgs<T>& args, const PairBlock& block, std::size_t begin, std::size_t end) {
  const hn::ScalableTag<T> tag;
  const std::size_t N = hn::Lanes(tag);
  const std::size_t stride = padded_width<T>(args.d);
  const T* prepared = args.prepared + block.first_source * stride + begin;
  const T* g = args.g + block.first_row * args.g_stride + begin;
  T* dz = args.dz + block.first_source * args.dz_stride + begin;
  const std::size_t width = end - begin;
  for (std::size_t source = 0; source < block.num_sources(); ++source)
    std::fill_n(dz + source * args.dz_stride, width, T{0});
  // tanh(x) = 2 logistic(2x) - 1, and rows are prepared as 2x.
  const T factor = args.activation == Activation::kTanh ? 4 : 1;
  const auto run = [&](auto last) HWY_ATTR {
    switch ((width + N - 1) / N) {
      case 1:
        return ScatterTriples<Op, 1>(*block.level, prepared, stride, g, args.g_stride, factor, dz,
                                     args.dz_stride, last);
      case 2:
        return ScatterTriples<Op, 2>(*block.level, prepared, stride, g, args.g_stride, factor, dz,
                                     args.dz_stride, last);
      case 3:
        return ScatterTriples<Op, 3>(*block.level, prepared, stride, g, args.g_stride, factor, dz,
                                     args.dz_stride, last);
      default:
        return ScatterTriples<Op, 4>(*block.level, prepared, stride, g, args.g_stride, factor, dz,
                                     args.dz_stride, last);
    }
  };
  if (width % N == 0)
    run(WholeVector{});
  else
    run(PartOfVector<decltype(tag)>(tag, width % N));
}

template <typename T>
void Scatter(const PairSumArgs<T>& args) {
  const hn::ScalableTag<T> tag;
  // Four vectors read a triple once; fewer where threads would be left without work. No bit depends on it.
  const std::size_t N = hn::Lanes(tag);
  const std::size_t vectors = (args.d + N - 1) / N;
  const auto threads = static_cast<std::size_t>(resolve_threads(args.threads));
  const std::size_t strip = N * std::clamp<std::size_t>(vectors / threads, 1, 4);
  const std::size_t strips = (args.d + strip - 1) / strip;
  const std::size_t blocks = args.plan->blocks.size();
  parallel_for(blocks * strips, args.threads, [&](std::size_t k) {
    const std::size_t b = k / strips;
    const std::size_t begin = k % strips * strip;
    const std::size_t end = std::min(args.d, begin + strip);
    const PairBlock& block = args.plan->blocks[b];
    switch (args.activation) {
      case Activation::kIdentity:
        return ScatterStrip<IdentityOp>(args, block, begin, end);
      case Activation::kRelu:
        return ScatterStrip<ReluOp>(args, block, begin, end);
      case Activation::kLogistic:
      case Activation::kTanh:
        return args.is_exact[b] ? ScatterStrip<ExactLogisticOp>(args, block, begin, end)
                                : ScatterStrip<LogisticOp>(args, block, begin, end);
      case Activation::kGelu:
      case Activation::kSilu:
        return;  // not for triples
    }
  });
}

void ScatterF32(const PairSumArgs<float>& args) { Scatter(args); }
void ScatterF64(const PairSumArgs<double>& args) { Scatter(args); }

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twofold::compute {

HWY_EXPORT(ScatterF32);
HWY_EXPORT(ScatterF64);

template <>
void pair_sum_backward_scatter(const PairSumArgs<float>& args) {
  HWY_DYNAMIC_DISPATCH(ScatterF32)(args);
}
template <>
void pair_sum_backward_scatter(const PairSumArgs<double>& args) {
  HWY_DYNAMIC_DISPATCH(ScatterF64)(args);
}

}  // namespace twofold::compute
#endif
