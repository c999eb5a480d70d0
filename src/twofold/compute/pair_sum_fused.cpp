#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

#include "twofold/base/parallel.h"
#include "twofold/base/simd_targets.h"
#include "twofold/compute/pair_scatter.h"
#include "twofold/compute/pair_sum.h"
#include "twofold/pairs/triple_scan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/compute/pair_sum_fused.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "twofold/compute/lanes-inl.h"
#include "twofold/compute/pair_rows-inl.h"
#include "twofold/compute/pair_square-inl.h"
#include "twofold/compute/pair_triangle-inl.h"

#ifndef TWOFOLD_COMPUTE_PAIR_SUM_ONCE
#define TWOFOLD_COMPUTE_PAIR_SUM_ONCE
namespace twofold::compute {

// Above it exp(-x_a) exp(-x_b) nears the ends of float's range; such a block takes the exact way.
constexpr double kLogisticLimit = 40;

// No row has 2^64 triples, so sums of what is below this stay finite and need not be looked at.
template <typename T>
constexpr T kSafeToSum = std::numeric_limits<T>::max() / static_cast<T>(std::uint64_t{1} << 32) /
                         static_cast<T>(std::uint64_t{1} << 34);

// A thread's buffers, kept from call to call.
template <typename T>
class Workspace {
 public:
  pairs::TripleScan scan;

  // Aligned to a cache line; what it held before is lost.
  T* buffer(std::size_t values) {
    if (size_ < values) {
      buffer_ = nullptr;
      buffer_ = hwy::AllocateAligned<T>(values);
      size_ = buffer_ ? values : 0;
      if (!buffer_) throw std::bad_alloc();
    }
    return buffer_.get();
  }

 private:
  hwy::AlignedFreeUniquePtr<T[]> buffer_;
  std::size_t size_ = 0;
};

template <typename T>
Workspace<T>& workspace() {
  thread_local Workspace<T> mine;
  return mine;
}

// Features a pass by triangles takes at a time: a cache line, or two where each pass must find the triples
// again.
template <typename T>
std::size_t pass_width(const pairs::PairSet& set) {
  return (set.has_stored_triples() || set.is_complete() ? 64 : 128) / sizeof(T);
}

inline bool is_logistic(Activation activation) {
  return activation == Activation::kLogistic || activation == Activation::kTanh;
}

}  // namespace twofold::compute
#endif

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Copies rows of d values into padded ones, as scale * (row + bias / 2); `to` may be null, then they are only
// looked at. True if all are finite; `largest` becomes the largest magnitude.
template <typename T>
bool PadRows(const T* from, std::size_t from_stride, const T* bias, T scale, std::size_t d, std::size_t rows,
             T* to, T& largest) {
  const Tag<T> tag;
  const std::size_t N = hn::Lanes(tag);
  const std::size_t stride = padded_width<T>(d);
  const std::size_t whole = d / N * N;
  const auto factor = hn::Set(tag, scale);
  const auto half_factor = hn::Set(tag, scale / 2);
  const auto zero = hn::Zero(tag);
  const PartOfVector<Tag<T>> tail(tag, d - whole);
  auto most = zero;
  auto poison = zero;  // stays 0 until a value is infinite or no number
  const auto visit = [&](auto y) HWY_ATTR {
    most = hn::Max(most, hn::Abs(y));
    poison = hn::MulAdd(y, zero, poison);
    return y;
  };
  for (std::size_t row = 0; row < rows; ++row) {
    const T* HWY_RESTRICT source = from + row * from_stride;
    if (to == nullptr) {
      for (std::size_t at = 0; at < whole; at += N) visit(hn::LoadU(tag, source + at));
      if (whole < d) visit(tail.Load(tag, source + whole));
      continue;
    }
    T* HWY_RESTRICT target = to + row * stride;
    for (std::size_t at = 0; at < whole; at += N) {
      auto y = hn::Mul(factor, hn::LoadU(tag, source + at));
      if (bias != nullptr) y = hn::MulAdd(half_factor, hn::LoadU(tag, bias + at), y);
      hn::Store(visit(y), tag, target + at);
    }
    std::size_t at = whole;
    if (whole < d) {
      auto y = hn::Mul(factor, tail.Load(tag, source + whole));
      if (bias != nullptr) y = hn::MulAdd(half_factor, tail.Load(tag, bias + whole), y);
      hn::Store(visit(y), tag, target + whole);
      at += N;
    }
    for (; at < stride; at += N) hn::Store(zero, tag, target + at);
  }
  largest = hn::GetLane(hn::MaxOfLanes(tag, most));
  return hn::AllTrue(tag, hn::Eq(poison, zero));
}

// Makes a block's prepared rows: x = z + bias / 2 (2x for tanh), or exp(-x) where the logistic may take
// products. False if some value is not finite; `largest` becomes the largest |x|.
template <typename T>
bool PrepareBlock(const PairSumArgs<T>& args, std::size_t at, T& largest) {
  const PairBlock& block = args.plan->blocks[at];
  const std::size_t stride = padded_width<T>(args.d);
  T* prepared = reads_z_itself(args) ? nullptr : args.prepared + block.first_source * stride;
  const T scale = args.activation == Activation::kTanh ? 2 : 1;
  if (!PadRows(args.z + block.first_source * args.z_stride, args.z_stride, args.bias, scale, args.d,
               block.num_sources(), prepared, largest))
    return false;
  args.is_exact[at] = is_logistic(args.activation) && !(largest <= static_cast<T>(kLogisticLimit));
  if (is_logistic(args.activation) && !args.is_exact[at]) {
    const Tag<T> tag;
    for (std::size_t k = 0; k < block.num_sources() * stride; k += hn::Lanes(tag))
      hn::Store(hn::Exp(tag, hn::Neg(hn::Load(tag, prepared + k))), tag, prepared + k);
  }
  return true;
}

// Which part of a block: nodes of a set, rows (forward) or sources (backward) of a level, or features.
struct Part {
  std::size_t begin;
  std::size_t end;
};

// The sums of features begin … end - 1 of a whole graph of which the lists are stored. Each pass copies its
// features, a cache line per row: what a graph takes of the cache is then half (d = 32) or less.
template <class Op, typename T>
void SumPasses(const BlockRows<T>& rows, const pairs::PairSet& set, Part features) {
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  constexpr std::size_t kWidth = 64 / sizeof(T);
  T* const buffer = workspace<T>().buffer(set.num_rows() * kWidth);
  for (std::size_t at = features.begin; at < std::min(features.end, rows.d); at += kWidth) {
    for (std::size_t row = 0; row < set.num_rows(); ++row)
      for (std::size_t c = 0; c < kWidth; c += N)
        hn::Store(hn::Load(d, rows.z + row * rows.stride + at + c), d, buffer + row * kWidth + c);
    const BlockRows<T> pass = {
        std::min(kWidth, rows.d - at), kWidth, buffer, nullptr, rows.out + at, rows.out_stride, rows.finish};
    for (std::size_t row = 0; row < set.num_rows(); ++row)
      SumRow<Op>(pass, row, set.triples.data() + set.triple_offsets[row],
                 set.triple_offsets[row + 1] - set.triple_offsets[row]);
  }
}

template <class Op, typename T>
void SumBlock(const BlockRows<T>& rows, const PairBlock& block, Part part) {
  if (block.form == PairForm::kWeighted) {
    const pairs::Level& level = *block.level;
    for (std::size_t row = part.begin; row < part.end; ++row)
      WeightedSumRow<Op>(rows, row, level.items.data() + level.offsets[row],
                         level.multiplicity.data() + level.offsets[row],
                         level.offsets[row + 1] - level.offsets[row]);
    return;
  }
  const pairs::PairSet& set = *block.set;
  Workspace<T>& mine = workspace<T>();
  if (block.form == PairForm::kComplete) {
    SumSquare<Op>(rows, set, part.begin, part.end,
                  mine.buffer(set.num_nodes() * set.num_nodes() * hn::Lanes(Tag<T>())));
    return;
  }
  mine.scan.begin(set);
  for (std::size_t i = part.begin; i < part.end; ++i)
    mine.scan.rows_of(static_cast<Node>(i), [&](pairs::Row row, Span<const pairs::RowPair> triples) HWY_ATTR {
      SumRow<Op>(rows, row, triples.data(), triples.size());
    });
}

// The gradients of features begin … end - 1 of a whole graph, triangle by triangle. Each pass copies the
// features it is about, those of z, g and the gradient side by side: a graph then takes as little of the cache
// as it can.
template <class Op, typename T>
void TriangleBlock(const BlockRows<T>& rows, const pairs::PairSet& set, Part features) {
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  const std::size_t p = set.num_rows();
  Workspace<T>& mine = workspace<T>();
  const std::size_t width = pass_width<T>(set);
  const std::size_t pitch = 3 * width;
  T* const buffer = mine.buffer(p * pitch);
  for (std::size_t at = features.begin; at < std::min(features.end, rows.d); at += width) {
    const std::size_t vectors = std::min(width, rows.stride - at);
    for (std::size_t row = 0; row < p; ++row)
      for (std::size_t c = 0; c < vectors; c += N) {
        hn::Store(hn::Load(d, rows.z + row * rows.stride + at + c), d, buffer + row * pitch + c);
        hn::Store(hn::Load(d, rows.g + row * rows.stride + at + c), d, buffer + row * pitch + width + c);
        hn::Store(hn::Zero(d), d, buffer + row * pitch + 2 * width + c);
      }
    ForStrips(d, std::min(vectors, rows.d - at), [&](auto count, std::size_t c) HWY_ATTR {
      constexpr int NV = decltype(count)::value;
      TriangleStrip<Op, NV>(TriangleRows<T>{pitch, buffer + c, buffer + width + c, buffer + 2 * width + c}, set,
                            mine.scan);
      for (std::size_t row = 0; row < p; ++row) {
        Strip<Tag<T>> strip = ZeroStrip(d);
        UpdateStrip<NV>(d, strip, [&](auto, std::size_t k) HWY_ATTR {
          return hn::Load(d, buffer + row * pitch + 2 * width + c + k);
        });
        rows.finish.Gradient(d, strip);
        StoreStrip<NV>(d, strip, rows.out + row * rows.out_stride + at + c, rows.d - at - c);
      }
    });
  }
}

template <class Op, typename T>
void BackwardBlock(const BlockRows<T>& rows, const PairBlock& block, Part part) {
  const pairs::PairSet& set = *block.set;
  Workspace<T>& mine = workspace<T>();
  mine.scan.begin(set);
  for (std::size_t i = part.begin; i < part.end; ++i)
    mine.scan.rows_of(static_cast<Node>(i), [&](pairs::Row row, Span<const pairs::RowPair> triples) HWY_ATTR {
      if (row == i)
        LoopGradient<Op>(rows, row, triples.data(), triples.size());
      else
        PairGradient<Op>(rows, row, triples.data(), triples.size());
    });
}

// Calls body(an Op) for the activation; outside all loops.
template <class F>
void WithOp(Activation activation, bool is_exact, const F& body) {
  switch (activation) {
    case Activation::kIdentity:
      return body(IdentityOp());
    case Activation::kRelu:
      return body(ReluOp());
    case Activation::kLogistic:
    case Activation::kTanh:
      return is_exact ? body(ExactLogisticOp()) : body(LogisticOp());
    case Activation::kGelu:
    case Activation::kSilu:
      return;  // not for triples
  }
}

// What one thread does at a time: an item of the plan, or some features of a block that the plan has cut.
struct Job {
  const PairItem* item;  // null for the latter
  std::uint32_t block;
  Part features;
};

// Blocks for which by_features(block) holds are never cut by rows but by features, a cache line at a time.
template <typename T, class Choice>
std::vector<Job> MakeJobs(const PairPlan& plan, std::size_t d, const Choice& by_features) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  std::vector<Job> jobs;
  jobs.reserve(plan.items.size());
  for (const PairItem& item : plan.items) {
    const std::uint32_t b = item.block_begin;
    if (!item.is_part() || !by_features(plan.blocks[b])) {
      jobs.push_back({&item, b, {0, 0}});
    } else if (item.part_begin == 0) {
      for (std::size_t at = 0; at < d; at += kLine) jobs.push_back({nullptr, b, {at, at + kLine}});
    }
  }
  return jobs;
}

// Runs prepare(block) for every block, and then run_features(block, features) or run_part(block, part) for all
// of it; blocks that are not cut in one go while they are in the cache.
template <typename T, class Choice, class Prepare, class RunFeatures, class RunPart>
void ForJobs(const PairSumArgs<T>& args, const Choice& by_features, const Prepare& prepare,
             const RunFeatures& run_features, const RunPart& run_part) {
  const PairPlan& plan = *args.plan;
  const std::vector<Job> jobs = MakeJobs<T>(plan, args.d, by_features);
  parallel_for(plan.cut_blocks.size(), args.threads, [&](std::size_t k) { prepare(plan.cut_blocks[k]); });
  parallel_for(jobs.size(), args.threads, [&](std::size_t k) {
    const Job& job = jobs[k];
    if (job.item == nullptr) return run_features(job.block, job.features);
    const PairItem& item = *job.item;
    if (item.is_part()) return run_part(job.block, Part{item.part_begin, item.part_end});
    for (std::size_t b = item.block_begin; b < item.block_end; ++b) {
      prepare(b);
      const PairBlock& block = plan.blocks[b];
      if (by_features(block))
        run_features(b, Part{0, args.d});
      else
        run_part(b, Part{0, block.set != nullptr ? block.set->num_nodes() : block.num_rows()});
    }
  });
}

template <typename T>
BlockRows<T> RowsOf(const PairSumArgs<T>& args, const PairBlock& block) {
  const std::size_t stride = padded_width<T>(args.d);
  return {args.d,
          stride,
          (reads_z_itself(args) ? args.z : args.prepared) + block.first_source * stride,
          nullptr,
          args.sums + block.first_row * args.sums_stride,
          args.sums_stride,
          {args.activation == Activation::kTanh}};
}

template <typename T>
bool Forward(const PairSumArgs<T>& args) {
  std::atomic<bool> is_finite{true};
  std::atomic<bool> may_overflow{false};
  if (args.d == 0) return true;
  const auto run = [&](std::size_t b, const auto& body) {
    if (!is_finite.load(std::memory_order_relaxed)) return;
    const PairBlock& block = args.plan->blocks[b];
    WithOp(args.activation, args.is_exact[b], [&](auto op) { body(op, RowsOf(args, block), block); });
  };
  ForJobs(
      args, sums_by_features,
      [&](std::size_t b) {
        T largest = 0;
        if (!PrepareBlock(args, b, largest)) is_finite.store(false, std::memory_order_relaxed);
        if (!(largest < kSafeToSum<T>)) may_overflow.store(true, std::memory_order_relaxed);
      },
      [&](std::size_t b, Part features) {
        run(b, [&](auto op, const auto& rows, const auto& block) {
          SumPasses<decltype(op)>(rows, *block.set, features);
        });
      },
      [&](std::size_t b, Part part) {
        run(b,
            [&](auto op, const auto& rows, const auto& block) { SumBlock<decltype(op)>(rows, block, part); });
      });
  if (!is_finite || !may_overflow || is_logistic(args.activation)) return is_finite;
  T largest = 0;
  return PadRows<T>(args.sums, args.sums_stride, nullptr, 1, args.d, args.plan->num_rows, nullptr, largest);
}

template <typename T>
void Backward(const PairSumArgs<T>& args) {
  const std::size_t stride = padded_width<T>(args.d);
  if (args.d == 0) return;
  const bool is_padded = args.g_stride == stride && reinterpret_cast<std::uintptr_t>(args.g) % 64 == 0;
  const T* g = is_padded ? args.g : args.g_prepared;
  const auto run = [&](std::size_t b, const auto& body) {
    const PairBlock& block = args.plan->blocks[b];
    BlockRows<T> rows = RowsOf(args, block);
    rows.g = g + block.first_row * stride;
    rows.out = args.dz + block.first_source * args.dz_stride;
    rows.out_stride = args.dz_stride;
    WithOp(args.activation, args.is_exact[b], [&](auto op) { body(op, rows, block); });
  };
  ForJobs(
      args, gradients_by_triangles,
      [&](std::size_t b) {
        const PairBlock& block = args.plan->blocks[b];
        T largest = 0;
        if (!is_padded)
          PadRows<T>(args.g + block.first_row * args.g_stride, args.g_stride, nullptr, 1, args.d,
                     block.num_rows(), args.g_prepared + block.first_row * stride, largest);
      },
      [&](std::size_t b, Part features) {
        run(b, [&](auto op, const auto& rows, const auto& block) {
          TriangleBlock<decltype(op)>(rows, *block.set, features);
        });
      },
      [&](std::size_t b, Part part) {
        run(b, [&](auto op, const auto& rows, const auto& block) {
          BackwardBlock<decltype(op)>(rows, block, part);
        });
      });
}

bool ForwardF32(const PairSumArgs<float>& args) { return Forward(args); }
bool ForwardF64(const PairSumArgs<double>& args) { return Forward(args); }
void BackwardF32(const PairSumArgs<float>& args) { Backward(args); }
void BackwardF64(const PairSumArgs<double>& args) { Backward(args); }

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twofold::compute {

HWY_EXPORT(ForwardF32);
HWY_EXPORT(ForwardF64);
HWY_EXPORT(BackwardF32);
HWY_EXPORT(BackwardF64);

template <>
bool pair_sum_fused(const PairSumArgs<float>& args) {
  return HWY_DYNAMIC_DISPATCH(ForwardF32)(args);
}
template <>
bool pair_sum_fused(const PairSumArgs<double>& args) {
  return HWY_DYNAMIC_DISPATCH(ForwardF64)(args);
}
namespace {

// On levels each triple's slope is found once and added to both its sources; the gradient needs padding there.
template <typename T>
void scatter(PairSumArgs<T> args) {
  if (args.g_prepared != nullptr) {
    const std::size_t padded = padded_width<T>(args.d);
    for (std::uint64_t row = 0; row < args.plan->num_rows; ++row) {
      std::copy_n(args.g + row * args.g_stride, args.d, args.g_prepared + row * padded);
      std::fill_n(args.g_prepared + row * padded + args.d, padded - args.d, T{0});
    }
    args.g = args.g_prepared;
    args.g_stride = padded;
  }
  pair_sum_backward_scatter(args);
}

bool is_of_levels(const PairPlan& plan) { return !plan.blocks.empty() && plan.blocks[0].level != nullptr; }

}  // namespace

template <>
void pair_sum_backward_fused(const PairSumArgs<float>& args) {
  if (is_of_levels(*args.plan)) return scatter(args);
  HWY_DYNAMIC_DISPATCH(BackwardF32)(args);
}
template <>
void pair_sum_backward_fused(const PairSumArgs<double>& args) {
  if (is_of_levels(*args.plan)) return scatter(args);
  HWY_DYNAMIC_DISPATCH(BackwardF64)(args);
}

}  // namespace twofold::compute
#endif
