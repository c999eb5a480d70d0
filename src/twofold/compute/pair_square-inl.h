// The pair sum where every pair of nodes is a row: a loop over (i, j, l) shaped like a matrix product, compiled
// once a SIMD target.
//
// One vector of features at a time, the rows are laid out as a full square zs[i][l], so that node l is the next
// vector and no index is read. Four j are taken together: z_il is loaded once for four triples, which leaves
// 1.25 loads a triple and vector where the lists need 2. Gradients: pair_triangle-inl.h, whose loop needs no
// list here either.
#if defined(TWOFOLD_COMPUTE_PAIR_SQUARE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOFOLD_COMPUTE_PAIR_SQUARE_INL_H_
#undef TWOFOLD_COMPUTE_PAIR_SQUARE_INL_H_
#else
#define TWOFOLD_COMPUTE_PAIR_SQUARE_INL_H_
#endif

#include "twofold/compute/pair_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// square[(i * n + l) * lanes …] = lanes at `at` of the row of {i,l}. Row {i,l} has the number n + (pairs
// before).
template <typename T>
HWY_INLINE void FillSquare(const pairs::PairSet& set, const T* rows, std::size_t stride, std::size_t at,
                           T* square) {
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  const std::size_t n = set.num_nodes();
  for (std::size_t i = 0; i < n; ++i) {
    hn::Store(hn::Load(d, rows + i * stride + at), d, square + (i * n + i) * N);
    const T* row = rows + set.upper_rows[i] * stride + at;
    for (std::size_t j = i + 1; j < n; ++j, row += stride) {
      const auto v = hn::Load(d, row);
      hn::Store(v, d, square + (i * n + j) * N);
      hn::Store(v, d, square + (j * n + i) * N);
    }
  }
}

template <class D>
struct Quad {
  hn::Vec<D> v0, v1, v2, v3;
};

// The sums of {i,j}, j = j0 … j0 + W - 1. W is 1 or 4.
template <class Op, int W, typename T>
HWY_INLINE Quad<Tag<T>> SquareSums(const T* HWY_RESTRICT zs, std::size_t n, std::size_t i, std::size_t j0) {
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  const T* HWY_RESTRICT zi = zs + i * n * N;
  const T* HWY_RESTRICT z0 = zs + j0 * n * N;
  const T* HWY_RESTRICT z1 = z0 + (W > 1 ? n * N : 0);
  const T* HWY_RESTRICT z2 = z1 + (W > 1 ? n * N : 0);
  const T* HWY_RESTRICT z3 = z2 + (W > 1 ? n * N : 0);
  const auto zero = hn::Zero(d);
  Quad<Tag<T>> acc = {zero, zero, zero, zero};
  for (std::size_t at = 0; at < n * N; at += N) {
    const auto il = hn::Load(d, zi + at);
    acc.v0 = Op::AddValue(d, acc.v0, il, hn::Load(d, z0 + at));
    if constexpr (W > 1) {
      acc.v1 = Op::AddValue(d, acc.v1, il, hn::Load(d, z1 + at));
      acc.v2 = Op::AddValue(d, acc.v2, il, hn::Load(d, z2 + at));
      acc.v3 = Op::AddValue(d, acc.v3, il, hn::Load(d, z3 + at));
    }
  }
  return acc;
}

// Calls four(j0) and one(j) so that together they cover j = i … n - 1.
template <class Four, class One>
HWY_INLINE void ForQuads(std::size_t i, std::size_t n, const Four& four, const One& one) {
  std::size_t j = i;
  for (; j + 4 <= n; j += 4) four(j);
  for (; j < n; ++j) one(j);
}

template <typename T, class V>
HWY_INLINE void FinishSquareSum(const BlockRows<T>& rows, V v, std::size_t n, std::size_t row, std::size_t at) {
  const Tag<T> d;
  if (rows.finish.is_tanh) v = hn::MulSub(v, hn::Set(d, 2), hn::Set(d, static_cast<T>(n)));
  StoreSome(d, v, rows.out + row * rows.out_stride + at, rows.d - at);
}

// The rows of nodes begin … end - 1. `square` has room for n * n cache lines.
template <class Op, typename T>
void SumSquare(const BlockRows<T>& rows, const pairs::PairSet& set, std::size_t begin, std::size_t end,
               T* square) {
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  const std::size_t n = set.num_nodes();
  for (std::size_t at = 0; at < rows.d; at += N) {
    FillSquare(set, rows.z, rows.stride, at, square);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t before = set.upper_rows[i] - i - 1;
      const auto store = [&](auto v, std::size_t j)
                             HWY_ATTR { FinishSquareSum(rows, v, n, j == i ? i : before + j, at); };
      ForQuads(
          i, n,
          [&](std::size_t j) HWY_ATTR {
            const Quad<Tag<T>> acc = SquareSums<Op, 4>(square, n, i, j);
            store(acc.v0, j);
            store(acc.v1, j + 1);
            store(acc.v2, j + 2);
            store(acc.v3, j + 3);
          },
          [&](std::size_t j) HWY_ATTR { store(SquareSums<Op, 1>(square, n, i, j).v0, j); });
    }
  }
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
