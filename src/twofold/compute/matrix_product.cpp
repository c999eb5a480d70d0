#include "twofold/compute/matrix_product.h"

#include <algorithm>

#include "twofold/base/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/compute/matrix_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Behind foreach_target.h, which a sorted block of includes would not leave it.
#include "twofold/compute/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Six rows and two vectors of c stay in twelve registers while k runs: of the sixteen there are, two more hold
// b's vectors and one the broadcast value of a. A step then takes 8 loads for 12 multiply-adds, so that the
// multiplier is what limits.
//
// a's value for row r and step s lies at a[r * row_step + s * k_step]: the same loop serves a and transposed a.
// The last vector is a whole or a part of one.
template <int kRows, bool kTwo, typename T, class Last>
HWY_INLINE void Tile(std::size_t k, const T* HWY_RESTRICT a, std::size_t row_step, std::size_t k_step,
                     const T* HWY_RESTRICT b, std::size_t b_stride, T* HWY_RESTRICT c, std::size_t c_stride,
                     bool adds, Last last) {
  const hn::ScalableTag<T> tag;
  const std::size_t N = hn::Lanes(tag);
  const auto zero = hn::Zero(tag);
  auto c00 = zero, c01 = zero, c10 = zero, c11 = zero, c20 = zero, c21 = zero;
  auto c30 = zero, c31 = zero, c40 = zero, c41 = zero, c50 = zero, c51 = zero;
  for (std::size_t s = 0; s < k; ++s) {
    const T* HWY_RESTRICT left = a + s * k_step;
    const T* HWY_RESTRICT right = b + s * b_stride;
    const auto b0 = kTwo ? hn::LoadU(tag, right) : last.Load(tag, right);
    const auto b1 = kTwo ? last.Load(tag, right + N) : zero;
    const auto step = [&](int row, auto& first, auto& second) HWY_ATTR {
      const auto value = hn::Set(tag, left[static_cast<std::size_t>(row) * row_step]);
      first = hn::MulAdd(value, b0, first);
      if constexpr (kTwo) second = hn::MulAdd(value, b1, second);
    };
    step(0, c00, c01);
    if constexpr (kRows > 1) step(1, c10, c11);
    if constexpr (kRows > 2) step(2, c20, c21);
    if constexpr (kRows > 3) step(3, c30, c31);
    if constexpr (kRows > 4) step(4, c40, c41);
    if constexpr (kRows > 5) step(5, c50, c51);
  }
  const auto store = [&](int row, auto first, auto second) HWY_ATTR {
    T* to = c + static_cast<std::size_t>(row) * c_stride;
    if constexpr (kTwo) {
      hn::StoreU(adds ? hn::Add(first, hn::LoadU(tag, to)) : first, tag, to);
      first = second;
      to += N;
    }
    last.Store(tag, adds ? hn::Add(first, last.Load(tag, to)) : first, to);
  };
  store(0, c00, c01);
  if constexpr (kRows > 1) store(1, c10, c11);
  if constexpr (kRows > 2) store(2, c20, c21);
  if constexpr (kRows > 3) store(3, c30, c31);
  if constexpr (kRows > 4) store(4, c40, c41);
  if constexpr (kRows > 5) store(5, c50, c51);
}

template <bool kTwo, typename T, class Last>
HWY_INLINE void Rows(std::size_t rows, std::size_t k, const T* a, std::size_t row_step, std::size_t k_step,
                     const T* b, std::size_t b_stride, T* c, std::size_t c_stride, bool adds, Last last) {
  switch (rows) {
    case 6:
      return Tile<6, kTwo>(k, a, row_step, k_step, b, b_stride, c, c_stride, adds, last);
    case 5:
      return Tile<5, kTwo>(k, a, row_step, k_step, b, b_stride, c, c_stride, adds, last);
    case 4:
      return Tile<4, kTwo>(k, a, row_step, k_step, b, b_stride, c, c_stride, adds, last);
    case 3:
      return Tile<3, kTwo>(k, a, row_step, k_step, b, b_stride, c, c_stride, adds, last);
    case 2:
      return Tile<2, kTwo>(k, a, row_step, k_step, b, b_stride, c, c_stride, adds, last);
    case 1:
      return Tile<1, kTwo>(k, a, row_step, k_step, b, b_stride, c, c_stride, adds, last);
    default:
      return;
  }
}

// c (rows x n) = or += a (rows x k, addressed as in Tile) b (k x n).
template <typename T>
void Multiply(std::size_t rows, std::size_t k, std::size_t n, const T* a, std::size_t row_step,
              std::size_t k_step, const T* b, std::size_t b_stride, T* c, std::size_t c_stride, bool adds) {
  constexpr std::size_t kTileRows = 6;
  const hn::ScalableTag<T> tag;
  const std::size_t N = hn::Lanes(tag);
  for (std::size_t row = 0; row < rows; row += kTileRows) {
    const std::size_t height = std::min(kTileRows, rows - row);
    const T* left = a + row * row_step;
    T* to = c + row * c_stride;
    std::size_t column = 0;
    for (; column + 2 * N <= n; column += 2 * N)
      Rows<true>(height, k, left, row_step, k_step, b + column, b_stride, to + column, c_stride, adds,
                 WholeVector{});
    if (column + N < n)
      Rows<true>(height, k, left, row_step, k_step, b + column, b_stride, to + column, c_stride, adds,
                 PartOfVector<hn::ScalableTag<T>>(tag, n - column - N));
    else if (column + N == n)
      Rows<false>(height, k, left, row_step, k_step, b + column, b_stride, to + column, c_stride, adds,
                  WholeVector{});
    else if (column < n)
      Rows<false>(height, k, left, row_step, k_step, b + column, b_stride, to + column, c_stride, adds,
                  PartOfVector<hn::ScalableTag<T>>(tag, n - column));
  }
}

template <typename T>
void AddTransposed(std::size_t m, std::size_t k, std::size_t n, MatrixView<const T> a, MatrixView<const T> b,
                   MatrixView<T> c) {
  // So many rows of both lie in the first-level cache while all of c is gone over.
  constexpr std::size_t kBlock = 64;
  for (std::size_t row = 0; row < m; row += kBlock)
    Multiply(k, std::min(kBlock, m - row), n, a.data + row * a.stride, 1, a.stride, b.data + row * b.stride,
             b.stride, c.data, c.stride, true);
}

void MultiplyF32(std::size_t m, std::size_t k, std::size_t n, MatrixView<const float> a,
                 MatrixView<const float> b, MatrixView<float> c, bool adds) {
  Multiply(m, k, n, a.data, a.stride, 1, b.data, b.stride, c.data, c.stride, adds);
}
void MultiplyF64(std::size_t m, std::size_t k, std::size_t n, MatrixView<const double> a,
                 MatrixView<const double> b, MatrixView<double> c, bool adds) {
  Multiply(m, k, n, a.data, a.stride, 1, b.data, b.stride, c.data, c.stride, adds);
}
void AddTransposedF32(std::size_t m, std::size_t k, std::size_t n, MatrixView<const float> a,
                      MatrixView<const float> b, MatrixView<float> c) {
  AddTransposed(m, k, n, a, b, c);
}
void AddTransposedF64(std::size_t m, std::size_t k, std::size_t n, MatrixView<const double> a,
                      MatrixView<const double> b, MatrixView<double> c) {
  AddTransposed(m, k, n, a, b, c);
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twofold::compute {

HWY_EXPORT(MultiplyF32);
HWY_EXPORT(MultiplyF64);
HWY_EXPORT(AddTransposedF32);
HWY_EXPORT(AddTransposedF64);

template <>
void matrix_product(std::size_t m, std::size_t k, std::size_t n, MatrixView<const float> a,
                    MatrixView<const float> b, MatrixView<float> c, bool adds) {
  HWY_DYNAMIC_DISPATCH(MultiplyF32)(m, k, n, a, b, c, adds);
}
template <>
void matrix_product(std::size_t m, std::size_t k, std::size_t n, MatrixView<const double> a,
                    MatrixView<const double> b, MatrixView<double> c, bool adds) {
  HWY_DYNAMIC_DISPATCH(MultiplyF64)(m, k, n, a, b, c, adds);
}
template <>
void add_transposed_product(std::size_t m, std::size_t k, std::size_t n, MatrixView<const float> a,
                            MatrixView<const float> b, MatrixView<float> c) {
  HWY_DYNAMIC_DISPATCH(AddTransposedF32)(m, k, n, a, b, c);
}
template <>
void add_transposed_product(std::size_t m, std::size_t k, std::size_t n, MatrixView<const double> a,
                            MatrixView<const double> b, MatrixView<double> c) {
  HWY_DYNAMIC_DISPATCH(AddTransposedF64)(m, k, n, a, b, c);
}

template <typename T>
void transpose(std::size_t m, std::size_t n, MatrixView<const T> from, MatrixView<T> to) {
  // By small squares, so that a line of the cache that is written to is written whole: with a stride of a power
  // of two, lines that wait for the next row push each other out.
  constexpr std::size_t kSquare = 8;
  for (std::size_t i0 = 0; i0 < m; i0 += kSquare) {
    const std::size_t i1 = std::min(m, i0 + kSquare);
    for (std::size_t j0 = 0; j0 < n; j0 += kSquare) {
      const std::size_t j1 = std::min(n, j0 + kSquare);
      for (std::size_t j = j0; j < j1; ++j)
        for (std::size_t i = i0; i < i1; ++i) to.data[j * to.stride + i] = from.data[i * from.stride + j];
    }
  }
}
template void transpose(std::size_t, std::size_t, MatrixView<const float>, MatrixView<float>);
template void transpose(std::size_t, std::size_t, MatrixView<const double>, MatrixView<double>);

}  // namespace twofold::compute
#endif
