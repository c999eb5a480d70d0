#include "twofold/compute/pooling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "twofold/base/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/compute/pooling.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Behind foreach_target.h, which a sorted block of includes would not leave it.
#include <hwy/contrib/math/math-inl.h>

#include "twofold/compute/lanes-inl.h"

#ifndef TWOFOLD_COMPUTE_POOLING_ONCE
#define TWOFOLD_COMPUTE_POOLING_ONCE
namespace twofold::compute {

template <typename T>
T count_of(const PoolSegment& segment, std::size_t i) {
  return segment.counts == nullptr ? T{1} : static_cast<T>(segment.counts[i]);
}

template <typename T>
T total_of(const PoolSegment& segment) {
  if (segment.counts == nullptr) return static_cast<T>(segment.size);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < segment.size; ++i) total += segment.counts[i];
  return static_cast<T>(total);
}

}  // namespace twofold::compute
#endif

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vector by vector of channels, all rows of the segment for each: sums stay in registers.
template <typename T, class F>
HWY_INLINE void ForRows(const PoolSegment& segment, const F& body) {
  for (std::size_t i = 0; i < segment.size; ++i) body(segment.row(i), count_of<T>(segment, i), i);
}

template <typename T>
void SumSegment(const PoolArgs<T>& args, const PoolSegment& segment, T factor, T* out) {
  const hn::ScalableTag<T> tag;
  ForVectors(tag, args.d, [&](auto lanes, std::size_t at) HWY_ATTR {
    auto sum = hn::Zero(tag);
    ForRows<T>(segment, [&](std::size_t row, T count, std::size_t) HWY_ATTR {
      sum = hn::MulAdd(hn::Set(tag, count), lanes.Load(tag, args.y.data + row * args.y.stride + at), sum);
    });
    lanes.Store(tag, hn::Mul(sum, hn::Set(tag, factor)), out + at);
  });
}

template <typename T>
void SumSegmentBackward(const PoolArgs<T>& args, const PoolSegment& segment, T factor, const T* dout) {
  const hn::ScalableTag<T> tag;
  ForVectors(tag, args.d, [&](auto lanes, std::size_t at) HWY_ATTR {
    const auto g = hn::Mul(lanes.Load(tag, dout + at), hn::Set(tag, factor));
    ForRows<T>(segment, [&](std::size_t row, T count, std::size_t) HWY_ATTR {
      T* dy = args.dy.data + row * args.dy.stride + at;
      lanes.Store(tag, hn::MulAdd(g, hn::Set(tag, count), lanes.Load(tag, dy)), dy);
    });
  });
}

template <bool kMax, typename T>
void ExtremeSegment(const PoolArgs<T>& args, const PoolSegment& segment, T* out) {
  const hn::ScalableTag<T> tag;
  ForVectors(tag, args.d, [&](auto lanes, std::size_t at) HWY_ATTR {
    auto best = lanes.Load(tag, args.y.data + segment.row(0) * args.y.stride + at);
    ForRows<T>(segment, [&](std::size_t row, T, std::size_t) HWY_ATTR {
      const auto y = lanes.Load(tag, args.y.data + row * args.y.stride + at);
      best = kMax ? hn::Max(best, y) : hn::Min(best, y);
    });
    lanes.Store(tag, best, out + at);
  });
}

template <typename T>
void ExtremeSegmentBackward(const PoolArgs<T>& args, const PoolSegment& segment, const T* out, const T* dout) {
  const hn::ScalableTag<T> tag;
  ForVectors(tag, args.d, [&](auto lanes, std::size_t at) HWY_ATTR {
    const auto best = lanes.Load(tag, out + at);
    const auto is_best = [&](std::size_t row) HWY_ATTR {
      return hn::Eq(lanes.Load(tag, args.y.data + row * args.y.stride + at), best);
    };
    auto ties = hn::Zero(tag);
    ForRows<T>(segment, [&](std::size_t row, T count, std::size_t) HWY_ATTR {
      ties = hn::Add(ties, hn::IfThenElseZero(is_best(row), hn::Set(tag, count)));
    });
    const auto g = hn::Div(lanes.Load(tag, dout + at), ties);
    ForRows<T>(segment, [&](std::size_t row, T count, std::size_t) HWY_ATTR {
      T* dy = args.dy.data + row * args.dy.stride + at;
      const auto share = hn::IfThenElseZero(is_best(row), hn::Mul(g, hn::Set(tag, count)));
      lanes.Store(tag, hn::Add(lanes.Load(tag, dy), share), dy);
    });
  });
}

// One score per channel. The largest is subtracted first, so that no exponential overflows.
template <typename T>
void WeighChannels(const PoolArgs<T>& args, const PoolSegment& segment, T* weights, T* out) {
  const hn::ScalableTag<T> tag;
  const std::size_t d = args.d;
  ForVectors(tag, d, [&](auto lanes, std::size_t at) HWY_ATTR {
    const auto score = [&](std::size_t row) HWY_ATTR {
      return lanes.Load(tag, args.scores.data + row * args.scores.stride + at);
    };
    auto most = score(segment.row(0));
    ForRows<T>(segment, [&](std::size_t row, T, std::size_t) HWY_ATTR { most = hn::Max(most, score(row)); });
    auto total = hn::Zero(tag);
    auto sum = hn::Zero(tag);
    ForRows<T>(segment, [&](std::size_t row, T count, std::size_t i) HWY_ATTR {
      const auto w = hn::Mul(hn::Set(tag, count), hn::Exp(tag, hn::Sub(score(row), most)));
      lanes.Store(tag, w, weights + i * d + at);
      total = hn::Add(total, w);
      sum = hn::MulAdd(w, lanes.Load(tag, args.y.data + row * args.y.stride + at), sum);
    });
    lanes.Store(tag, hn::Div(sum, total), out + at);
    const auto inverse = hn::Div(hn::Set(tag, T{1}), total);
    ForRows<T>(segment, [&](std::size_t, T, std::size_t i) HWY_ATTR {
      T* w = weights + i * d + at;
      lanes.Store(tag, hn::Mul(lanes.Load(tag, w), inverse), w);
    });
  });
}

template <typename T>
void WeighChannelsBackward(const PoolArgs<T>& args, const PoolSegment& segment, const T* weights, const T* out,
                           const T* dout) {
  const hn::ScalableTag<T> tag;
  const std::size_t d = args.d;
  ForVectors(tag, d, [&](auto lanes, std::size_t at) HWY_ATTR {
    const auto g = lanes.Load(tag, dout + at);
    const auto pooled = lanes.Load(tag, out + at);
    ForRows<T>(segment, [&](std::size_t row, T, std::size_t i) HWY_ATTR {
      const auto share = hn::Mul(lanes.Load(tag, weights + i * d + at), g);
      T* dy = args.dy.data + row * args.dy.stride + at;
      lanes.Store(tag, hn::Add(lanes.Load(tag, dy), share), dy);
      const auto y = lanes.Load(tag, args.y.data + row * args.y.stride + at);
      T* ds = args.dscores.data + row * args.dscores.stride + at;
      lanes.Store(tag, hn::MulAdd(share, hn::Sub(y, pooled), lanes.Load(tag, ds)), ds);
    });
  });
}

// One score per row.
template <typename T>
void WeighRows(const PoolArgs<T>& args, const PoolSegment& segment, T* weights, T* out) {
  const hn::ScalableTag<T> tag;
  T most = -std::numeric_limits<T>::infinity();
  ForRows<T>(segment, [&](std::size_t row, T, std::size_t) {
    most = std::max(most, args.scores.data[row * args.scores.stride]);
  });
  T total = 0;
  ForRows<T>(segment, [&](std::size_t row, T count, std::size_t i) {
    total += weights[i] = count * std::exp(args.scores.data[row * args.scores.stride] - most);
  });
  for (std::size_t i = 0; i < segment.size; ++i) weights[i] /= total;
  ForVectors(tag, args.d, [&](auto lanes, std::size_t at) HWY_ATTR {
    auto sum = hn::Zero(tag);
    ForRows<T>(segment, [&](std::size_t row, T, std::size_t i) HWY_ATTR {
      sum = hn::MulAdd(hn::Set(tag, weights[i]), lanes.Load(tag, args.y.data + row * args.y.stride + at), sum);
    });
    lanes.Store(tag, sum, out + at);
  });
}

template <typename T>
void WeighRowsBackward(const PoolArgs<T>& args, const PoolSegment& segment, const T* weights, const T* out,
                       const T* dout) {
  const hn::ScalableTag<T> tag;
  ForRows<T>(segment, [&](std::size_t row, T, std::size_t i) HWY_ATTR {
    const auto w = hn::Set(tag, weights[i]);
    auto slope = hn::Zero(tag);  // of the score: w (y - out) . dout
    ForVectors(tag, args.d, [&](auto lanes, std::size_t at) HWY_ATTR {
      const auto share = hn::Mul(w, lanes.Load(tag, dout + at));
      T* dy = args.dy.data + row * args.dy.stride + at;
      lanes.Store(tag, hn::Add(lanes.Load(tag, dy), share), dy);
      const auto y = lanes.Load(tag, args.y.data + row * args.y.stride + at);
      slope = hn::MulAdd(share, hn::Sub(y, lanes.Load(tag, out + at)), slope);
    });
    args.dscores.data[row * args.dscores.stride] += hn::GetLane(hn::SumOfLanes(tag, slope));
  });
}

// Rows that count several times (colors) are not multiplied: links are learnt on rows.
template <typename T>
void MultiplySegment(const PoolArgs<T>& args, const PoolSegment& segment, T* out) {
  std::fill(out, out + args.d, T{1});
  for (std::size_t i = 0; i < segment.size; ++i) {
    const T* const row = args.y.data + segment.row(i) * args.y.stride;
    for (std::size_t c = 0; c < args.d; ++c) out[c] *= row[c];
  }
}

// d out / d y[i] is the product of the other rows, of which there are few.
template <typename T>
void MultiplySegmentBackward(const PoolArgs<T>& args, const PoolSegment& segment, const T* dout) {
  for (std::size_t i = 0; i < segment.size; ++i) {
    T* const to = args.dy.data + segment.row(i) * args.dy.stride;
    for (std::size_t c = 0; c < args.d; ++c) {
      T others = dout[c];
      for (std::size_t k = 0; k < segment.size; ++k)
        if (k != i) others *= args.y.data[segment.row(k) * args.y.stride + c];
      to[c] += others;
    }
  }
}

template <typename T>
void Pool(const PoolArgs<T>& args) {
  T* weights = args.weights;
  for (std::size_t g = 0; g < args.num_segments; ++g) {
    const PoolSegment& segment = args.segments[g];
    T* out = args.out + g * args.d;
    if (segment.size == 0) {
      std::fill(out, out + args.d, T{0});
      continue;
    }
    switch (args.pooling) {
      case Pooling::kMean:
        SumSegment(args, segment, T{1} / total_of<T>(segment), out);
        break;
      case Pooling::kSum:
        SumSegment(args, segment, T{1}, out);
        break;
      case Pooling::kMax:
        ExtremeSegment<true>(args, segment, out);
        break;
      case Pooling::kMin:
        ExtremeSegment<false>(args, segment, out);
        break;
      case Pooling::kProduct:
        MultiplySegment(args, segment, out);
        break;
      case Pooling::kWeightedMean:
        if (args.score_columns == 1)
          WeighRows(args, segment, weights, out);
        else
          WeighChannels(args, segment, weights, out);
        weights += segment.size * args.score_columns;
        break;
    }
  }
}

template <typename T>
void PoolBackward(const PoolArgs<T>& args) {
  const T* weights = args.weights;
  for (std::size_t g = 0; g < args.num_segments; ++g) {
    const PoolSegment& segment = args.segments[g];
    if (segment.size == 0) continue;
    const T* out = args.out + g * args.d;
    const T* dout = args.dout + g * args.d;
    switch (args.pooling) {
      case Pooling::kMean:
        SumSegmentBackward(args, segment, T{1} / total_of<T>(segment), dout);
        break;
      case Pooling::kSum:
        SumSegmentBackward(args, segment, T{1}, dout);
        break;
      case Pooling::kMax:
      case Pooling::kMin:
        ExtremeSegmentBackward(args, segment, out, dout);
        break;
      case Pooling::kProduct:
        MultiplySegmentBackward(args, segment, dout);
        break;
      case Pooling::kWeightedMean:
        if (args.score_columns == 1)
          WeighRowsBackward(args, segment, weights, out, dout);
        else
          WeighChannelsBackward(args, segment, weights, out, dout);
        weights += segment.size * args.score_columns;
        break;
    }
  }
}

void PoolF32(const PoolArgs<float>& args) { Pool(args); }
void PoolF64(const PoolArgs<double>& args) { Pool(args); }
void PoolBackwardF32(const PoolArgs<float>& args) { PoolBackward(args); }
void PoolBackwardF64(const PoolArgs<double>& args) { PoolBackward(args); }

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twofold::compute {

HWY_EXPORT(PoolF32);
HWY_EXPORT(PoolF64);
HWY_EXPORT(PoolBackwardF32);
HWY_EXPORT(PoolBackwardF64);

template <>
void pool_rows(const PoolArgs<float>& args) {
  HWY_DYNAMIC_DISPATCH(PoolF32)(args);
}
template <>
void pool_rows(const PoolArgs<double>& args) {
  HWY_DYNAMIC_DISPATCH(PoolF64)(args);
}
template <>
void pool_rows_backward(const PoolArgs<float>& args) {
  HWY_DYNAMIC_DISPATCH(PoolBackwardF32)(args);
}
template <>
void pool_rows_backward(const PoolArgs<double>& args) {
  HWY_DYNAMIC_DISPATCH(PoolBackwardF64)(args);
}

}  // namespace twofold::compute
#endif
