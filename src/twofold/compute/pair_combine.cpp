#include "twofold/compute/pair_combine.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "twofold/base/parallel.h"
#include "twofold/base/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/compute/pair_combine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Behind foreach_target.h, which a sorted block of includes would not leave it.
#include "twofold/compute/lanes-inl.h"
#include "twofold/compute/outer_activation-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What one thread does at a time: rows of one block and, where rows share a gradient, only some features.
struct Piece {
  std::uint32_t block;
  std::size_t row_begin;
  std::size_t row_end;
  std::size_t feature_begin;
  std::size_t feature_end;
};

template <Activation kAct, typename T>
bool CombinePiece(const PairCombineArgs<T>& args, const Piece& piece) {
  const hn::ScalableTag<T> tag;
  const PairBlock& block = args.plan->blocks[piece.block];
  const std::size_t d = args.d;
  auto poison = hn::Zero(tag);
  for (std::size_t row = piece.row_begin; row < piece.row_end; ++row) {
    const std::size_t own = block.first_source + (block.level != nullptr ? block.level->own[row] : row);
    const T* product = args.products + own * 3 * d;
    const T* sums = args.sums + (block.first_row + row) * args.sums_stride;
    T* y = args.y + (block.first_row + row) * d;
    ForVectors(tag, d, [&](auto lanes, std::size_t at) HWY_ATTR {
      auto x = hn::MulAdd(lanes.Load(tag, product + d + at), lanes.Load(tag, sums + at),
                          lanes.Load(tag, product + at));
      if (args.bias != nullptr) x = hn::Add(x, lanes.Load(tag, args.bias + at));
      poison = hn::MulAdd(x, hn::Zero(tag), poison);
      lanes.Store(tag, Activate<kAct>(tag, x), y + at);
    });
  }
  return hn::AllTrue(tag, hn::Eq(poison, hn::Zero(tag)));
}

// Rows of a level may share their own row, so its gradient is added up (and the piece has all rows); rows of a
// set are their own.
template <Activation kAct, typename T>
void CombineBackwardPiece(const PairCombineArgs<T>& args, const Piece& piece, T* dbias) {
  const hn::ScalableTag<T> tag;
  const PairBlock& block = args.plan->blocks[piece.block];
  const std::size_t d = args.d;
  const std::size_t begin = piece.feature_begin;
  const std::size_t width = piece.feature_end - begin;
  const bool adds = block.level != nullptr;
  if (adds)
    for (std::size_t source = 0; source < block.num_sources(); ++source) {
      T* dproduct = args.dproducts + (block.first_source + source) * 3 * d + begin;
      std::fill(dproduct, dproduct + width, T{0});
      std::fill(dproduct + d, dproduct + d + width, T{0});
    }
  for (std::size_t row = piece.row_begin; row < piece.row_end; ++row) {
    const std::size_t own = block.first_source + (adds ? block.level->own[row] : row);
    const T* filter = args.products + own * 3 * d + d;
    T* dlocal = args.dproducts + own * 3 * d;
    T* dfilter = dlocal + d;
    const std::size_t f = block.first_row + row;
    const T* sums = args.sums + f * args.sums_stride;
    T* dsums = args.dsums + f * args.dsums_stride;
    ForVectors(tag, width, [&](auto lanes, std::size_t within) HWY_ATTR {
      const std::size_t at = begin + within;
      const auto g =
          TimesSlope<kAct>(tag, lanes.Load(tag, args.dy + f * d + at), lanes.Load(tag, args.y + f * d + at));
      auto to_local = g;
      auto to_filter = hn::Mul(g, lanes.Load(tag, sums + at));
      if (adds) {
        to_local = hn::Add(to_local, lanes.Load(tag, dlocal + at));
        to_filter = hn::Add(to_filter, lanes.Load(tag, dfilter + at));
      }
      lanes.Store(tag, to_local, dlocal + at);
      lanes.Store(tag, to_filter, dfilter + at);
      lanes.Store(tag, hn::Mul(g, lanes.Load(tag, filter + at)), dsums + at);
      if (dbias != nullptr) lanes.Store(tag, hn::Add(g, lanes.Load(tag, dbias + at)), dbias + at);
    });
  }
}

// Small blocks are done in runs of about this many rows, so that handing them out costs nothing; larger ones
// are cut. Borders depend on the batch alone.
constexpr std::size_t kRunRows = 4096;

struct Pieces {
  std::vector<Piece> pieces;
  std::vector<std::size_t> borders = {0};  // of the runs of pieces
};

// A large level is cut by features, a cache line each, if the gradient of its sources is to be added up.
template <typename T>
Pieces MakePieces(const PairPlan& plan, std::size_t d, bool backward) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  Pieces all;
  std::size_t rows_in_run = 0;
  const auto close = [&] {
    if (all.borders.back() < all.pieces.size()) all.borders.push_back(all.pieces.size());
    rows_in_run = 0;
  };
  for (std::uint32_t b = 0; b < plan.blocks.size(); ++b) {
    const std::size_t rows = plan.blocks[b].num_rows();
    if (std::max(rows, plan.blocks[b].num_sources()) <= kRunRows) {
      all.pieces.push_back({b, 0, rows, 0, d});
      rows_in_run += rows;
      if (rows_in_run >= kRunRows) close();
      continue;
    }
    close();
    if (backward && plan.blocks[b].level != nullptr) {
      for (std::size_t at = 0; at < d; at += kLine) {
        all.pieces.push_back({b, 0, rows, at, std::min(d, at + kLine)});
        close();
      }
      continue;
    }
    for (std::size_t row = 0; row < rows; row += kRunRows) {
      all.pieces.push_back({b, row, std::min(rows, row + kRunRows), 0, d});
      close();
    }
  }
  close();
  return all;
}

template <typename T>
bool Combine(const PairCombineArgs<T>& args) {
  const Pieces all = MakePieces<T>(*args.plan, args.d, false);
  std::atomic<bool> is_finite{true};
  parallel_for(all.borders.size() - 1, args.threads, [&](std::size_t run) {
    for (std::size_t k = all.borders[run]; k < all.borders[run + 1]; ++k)
      if (!WithActivation(args.activation,
                          [&](auto act) { return CombinePiece<decltype(act)::value>(args, all.pieces[k]); }))
        is_finite.store(false, std::memory_order_relaxed);
  });
  return is_finite;
}

template <typename T>
void CombineBackward(const PairCombineArgs<T>& args) {
  const Pieces all = MakePieces<T>(*args.plan, args.d, true);
  const std::size_t runs = all.borders.size() - 1;
  std::vector<T> dbias(args.dbias == nullptr ? 0 : runs * args.d, T{0});
  parallel_for(runs, args.threads, [&](std::size_t run) {
    for (std::size_t k = all.borders[run]; k < all.borders[run + 1]; ++k)
      WithActivation(args.activation, [&](auto act) {
        CombineBackwardPiece<decltype(act)::value>(
            args, all.pieces[k], args.dbias == nullptr ? nullptr : dbias.data() + run * args.d);
      });
  });
  if (args.dbias == nullptr) return;
  std::fill(args.dbias, args.dbias + args.d, T{0});
  for (std::size_t run = 0; run < runs; ++run)
    for (std::size_t c = 0; c < args.d; ++c) args.dbias[c] += dbias[run * args.d + c];
}

bool CombineF32(const PairCombineArgs<float>& args) { return Combine(args); }
bool CombineF64(const PairCombineArgs<double>& args) { return Combine(args); }
void CombineBackwardF32(const PairCombineArgs<float>& args) { CombineBackward(args); }
void CombineBackwardF64(const PairCombineArgs<double>& args) { CombineBackward(args); }

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twofold::compute {

HWY_EXPORT(CombineF32);
HWY_EXPORT(CombineF64);
HWY_EXPORT(CombineBackwardF32);
HWY_EXPORT(CombineBackwardF64);

template <>
bool pair_combine(const PairCombineArgs<float>& args) {
  return HWY_DYNAMIC_DISPATCH(CombineF32)(args);
}
template <>
bool pair_combine(const PairCombineArgs<double>& args) {
  return HWY_DYNAMIC_DISPATCH(CombineF64)(args);
}
template <>
void pair_combine_backward(const PairCombineArgs<float>& args) {
  HWY_DYNAMIC_DISPATCH(CombineBackwardF32)(args);
}
template <>
void pair_combine_backward(const PairCombineArgs<double>& args) {
  HWY_DYNAMIC_DISPATCH(CombineBackwardF64)(args);
}

}  // namespace twofold::compute
#endif
