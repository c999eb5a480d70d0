#include <hwy/aligned_allocator.h>

#include <atomic>
#include <memory>

#include "twofold/base/parallel.h"
#include "twofold/compute/pair_sum.h"
#include "twofold/pairs/triple_scan.h"

// Of the x86 targets, those between the ones named here differ too little to compile everything again.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/compute/pair_sum_fused.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "twofold/compute/pair_rows-inl.h"
#include "twofold/compute/pair_square-inl.h"

#ifndef TWOFOLD_COMPUTE_PAIR_SUM_ONCE
#define TWOFOLD_COMPUTE_PAIR_SUM_ONCE
namespace twofold::compute {

// Above it exp(-x_a) exp(-x_b) nears the ends of float's range; such a block takes the exact way.
constexpr double kLogisticLimit = 40;

// A thread's buffers, kept from call to call.
template <typename T>
class Workspace {
 public:
  pairs::TripleScan scan;

  T* square(int which, std::size_t values) {
    if (size_[which] < values) {
      buffer_[which] = hwy::AllocateAligned<T>(values);
      if (!buffer_[which]) throw std::bad_alloc();
      size_[which] = values;
    }
    return buffer_[which].get();
  }

 private:
  hwy::AlignedFreeUniquePtr<T[]> buffer_[2];
  std::size_t size_[2] = {0, 0};
};

template <typename T>
Workspace<T>& workspace() {
  thread_local Workspace<T> mine;
  return mine;
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
  const auto tail = hn::FirstN(tag, d - whole);
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
      if (whole < d) visit(hn::MaskedLoad(tail, tag, source + whole));
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
      auto y = hn::Mul(factor, hn::MaskedLoad(tail, tag, source + whole));
      if (bias != nullptr) y = hn::MulAdd(half_factor, hn::MaskedLoad(tail, tag, bias + whole), y);
      hn::Store(visit(y), tag, target + whole);
      at += N;
    }
    for (; at < stride; at += N) hn::Store(zero, tag, target + at);
  }
  largest = hn::GetLane(hn::MaxOfLanes(tag, most));
  return hn::AllTrue(tag, hn::Eq(poison, zero));
}

// Makes a block's prepared rows: x = z + bias / 2 (2x for tanh), or exp(-x) where the logistic may take
// products.
template <typename T>
bool PrepareBlock(const PairSumArgs<T>& args, std::size_t at) {
  const PairBlock& block = args.plan->blocks[at];
  const std::size_t stride = padded_width<T>(args.d);
  T* prepared = reads_z_itself(args) ? nullptr : args.prepared + block.first_source * stride;
  T largest = 0;
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

// Which part of a block: nodes of a set, rows (forward) or sources (backward) of a level.
struct Part {
  std::size_t begin;
  std::size_t end;
};

template <class Op, typename T>
void SumBlock(const BlockRows<T>& rows, const PairBlock& block, Part part) {
  if (block.form == PairForm::kWeighted) {
    const pairs::Level& level = *block.level;
    for (std::size_t row = part.begin; row < part.end; ++row)
      WeightedSumRow<Op>(rows, row, level.triples.data() + level.offsets[row],
                         level.multiplicity.data() + level.offsets[row],
                         level.offsets[row + 1] - level.offsets[row]);
    return;
  }
  const pairs::PairSet& set = *block.set;
  Workspace<T>& mine = workspace<T>();
  if (block.form == PairForm::kComplete) {
    SumSquare<Op>(rows, set, part.begin, part.end,
                  mine.square(0, set.num_nodes() * set.num_nodes() * hn::Lanes(Tag<T>())));
    return;
  }
  mine.scan.begin(set);
  for (std::size_t i = part.begin; i < part.end; ++i)
    mine.scan.rows_of(static_cast<Node>(i), [&](pairs::Row row, Span<const pairs::RowPair> triples) HWY_ATTR {
      SumRow<Op>(rows, row, triples.data(), triples.size());
    });
}

template <class Op, typename T>
void BackwardBlock(const BlockRows<T>& rows, const PairBlock& block, Part part) {
  if (block.form == PairForm::kWeighted) {
    const pairs::Level& level = *block.level;
    for (std::size_t source = part.begin; source < part.end; ++source)
      WeightedGradient<Op>(rows, source, level.reverse.data() + level.reverse_offsets[source],
                           level.reverse_multiplicity.data() + level.reverse_offsets[source],
                           level.reverse_offsets[source + 1] - level.reverse_offsets[source]);
    return;
  }
  const pairs::PairSet& set = *block.set;
  Workspace<T>& mine = workspace<T>();
  if (block.form == PairForm::kComplete) {
    const std::size_t values = set.num_nodes() * set.num_nodes() * hn::Lanes(Tag<T>());
    SquareBackward<Op>(rows, set, part.begin, part.end, mine.square(0, values), mine.square(1, values));
    return;
  }
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
  }
}

// Runs prepare(block) for every block and then run(block, part) for all its parts, blocks that are not cut in
// one go while they are in the cache.
template <class Prepare, class Run>
void ForItems(const PairPlan& plan, int threads, bool backward, const Prepare& prepare, const Run& run) {
  parallel_for(plan.cut_blocks.size(), threads, [&](std::size_t k) { prepare(plan.cut_blocks[k]); });
  parallel_for(plan.items.size(), threads, [&](std::size_t k) {
    const PairItem& item = plan.items[k];
    if (item.is_part()) {
      const bool by_source = backward && plan.blocks[item.block_begin].level != nullptr;
      run(item.block_begin,
          by_source ? Part{item.source_begin, item.source_end} : Part{item.part_begin, item.part_end});
      return;
    }
    for (std::size_t b = item.block_begin; b < item.block_end; ++b) {
      prepare(b);
      const PairBlock& block = plan.blocks[b];
      run(b, Part{0, block.set != nullptr ? block.set->num_nodes()
                     : backward           ? block.num_sources()
                                          : block.num_rows()});
    }
  });
}

template <typename T>
bool Forward(const PairSumArgs<T>& args) {
  const std::size_t stride = padded_width<T>(args.d);
  std::atomic<bool> is_finite{true};
  if (args.d == 0) return true;
  ForItems(
      *args.plan, args.threads, false,
      [&](std::size_t b) {
        if (!PrepareBlock(args, b)) is_finite.store(false, std::memory_order_relaxed);
      },
      [&](std::size_t b, Part part) {
        if (!is_finite.load(std::memory_order_relaxed)) return;
        const PairBlock& block = args.plan->blocks[b];
        const BlockRows<T> rows = {
            args.d,
            stride,
            (reads_z_itself(args) ? args.z : args.prepared) + block.first_source * stride,
            nullptr,
            args.sums + block.first_row * args.sums_stride,
            args.sums_stride,
            {args.activation == Activation::kTanh}};
        WithOp(args.activation, args.is_exact[b], [&](auto op) { SumBlock<decltype(op)>(rows, block, part); });
      });
  return is_finite;
}

template <typename T>
void Backward(const PairSumArgs<T>& args) {
  const std::size_t stride = padded_width<T>(args.d);
  if (args.d == 0) return;
  const bool is_padded = args.g_stride == stride && reinterpret_cast<std::uintptr_t>(args.g) % 64 == 0;
  const T* g = is_padded ? args.g : args.g_prepared;
  ForItems(
      *args.plan, args.threads, true,
      [&](std::size_t b) {
        const PairBlock& block = args.plan->blocks[b];
        T largest = 0;
        if (!is_padded)
          PadRows<T>(args.g + block.first_row * args.g_stride, args.g_stride, nullptr, 1, args.d,
                     block.num_rows(), args.g_prepared + block.first_row * stride, largest);
      },
      [&](std::size_t b, Part part) {
        const PairBlock& block = args.plan->blocks[b];
        const BlockRows<T> rows = {
            args.d,
            stride,
            (reads_z_itself(args) ? args.z : args.prepared) + block.first_source * stride,
            g + block.first_row * stride,
            args.dz + block.first_source * args.dz_stride,
            args.dz_stride,
            {args.activation == Activation::kTanh}};
        WithOp(args.activation, args.is_exact[b],
               [&](auto op) { BackwardBlock<decltype(op)>(rows, block, part); });
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
template <>
void pair_sum_backward_fused(const PairSumArgs<float>& args) {
  HWY_DYNAMIC_DISPATCH(BackwardF32)(args);
}
template <>
void pair_sum_backward_fused(const PairSumArgs<double>& args) {
  HWY_DYNAMIC_DISPATCH(BackwardF64)(args);
}

std::vector<std::int64_t> simd_targets() { return hwy::SupportedAndGeneratedTargets(); }
void use_simd_target(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().DeInit();
}
const char* simd_target_name(std::int64_t target) { return hwy::TargetName(target); }

}  // namespace twofold::compute
#endif
