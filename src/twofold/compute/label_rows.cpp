#include "twofold/compute/label_rows.h"

#include <algorithm>

#include "twofold/base/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "twofold/compute/label_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// to += factor * from.
template <typename T>
HWY_INLINE void AddRow(std::size_t width, T factor, const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
  const hn::ScalableTag<T> tag;
  const std::size_t N = hn::Lanes(tag);
  const auto times = hn::Set(tag, factor);
  std::size_t at = 0;
  for (; at + N <= width; at += N)
    hn::StoreU(hn::MulAdd(times, hn::LoadU(tag, from + at), hn::LoadU(tag, to + at)), tag, to + at);
  for (; at < width; ++at) to[at] += factor * from[at];
}

template <typename T>
void LookUp(std::size_t count, const std::uint32_t* labels, std::size_t width, MatrixView<const T> table,
            MatrixView<T> to, bool adds) {
  for (std::size_t i = 0; i < count; ++i) {
    const T* from = table.data + (labels == nullptr ? i : labels[i]) * table.stride;
    if (adds)
      AddRow(width, T{1}, from, to.data + i * to.stride);
    else
      std::copy(from, from + width, to.data + i * to.stride);
  }
}

template <typename T>
void AddByLabel(std::size_t count, const std::uint32_t* labels, std::size_t width, MatrixView<const T> from,
                MatrixView<T> sums) {
  for (std::size_t i = 0; i < count; ++i)
    AddRow(width, T{1}, from.data + i * from.stride,
           sums.data + (labels == nullptr ? i : labels[i]) * sums.stride);
}

template <typename T>
void Sparse(const SparseRows<T>& rows, std::size_t width, MatrixView<const T> matrix, MatrixView<T> to) {
  const hn::ScalableTag<T> tag;
  const std::size_t N = hn::Lanes(tag);
  for (std::size_t i = 0; i < rows.num_rows; ++i) {
    T* HWY_RESTRICT row = to.data + i * to.stride;
    const std::size_t begin = rows.offsets[i], end = rows.offsets[i + 1];
    // Four vectors of the sum stay in registers.
    std::size_t column = 0;
    for (; column + 4 * N <= width; column += 4 * N) {
      auto sum0 = hn::Zero(tag), sum1 = sum0, sum2 = sum0, sum3 = sum0;
      for (std::size_t at = begin; at < end; ++at) {
        const T* HWY_RESTRICT from = matrix.data + rows.columns[at] * matrix.stride + column;
        const auto times = hn::Set(tag, rows.values[at]);
        sum0 = hn::MulAdd(times, hn::LoadU(tag, from), sum0);
        sum1 = hn::MulAdd(times, hn::LoadU(tag, from + N), sum1);
        sum2 = hn::MulAdd(times, hn::LoadU(tag, from + 2 * N), sum2);
        sum3 = hn::MulAdd(times, hn::LoadU(tag, from + 3 * N), sum3);
      }
      hn::StoreU(sum0, tag, row + column);
      hn::StoreU(sum1, tag, row + column + N);
      hn::StoreU(sum2, tag, row + column + 2 * N);
      hn::StoreU(sum3, tag, row + column + 3 * N);
    }
    std::fill(row + column, row + width, T{0});
    for (std::size_t at = begin; column < width && at < end; ++at)
      AddRow(width - column, rows.values[at], matrix.data + rows.columns[at] * matrix.stride + column,
             row + column);
  }
}

template <typename T>
void AddSparseTransposed(const SparseRows<T>& rows, std::size_t width, MatrixView<const T> g,
                         MatrixView<T> matrix) {
  for (std::size_t i = 0; i < rows.num_rows; ++i)
    for (std::size_t at = rows.offsets[i]; at < rows.offsets[i + 1]; ++at)
      AddRow(width, rows.values[at], g.data + i * g.stride, matrix.data + rows.columns[at] * matrix.stride);
}

void LookUpF32(std::size_t count, const std::uint32_t* labels, std::size_t width, MatrixView<const float> table,
               MatrixView<float> to, bool adds) {
  LookUp(count, labels, width, table, to, adds);
}
void AddByLabelF32(std::size_t count, const std::uint32_t* labels, std::size_t width,
                   MatrixView<const float> from, MatrixView<float> sums) {
  AddByLabel(count, labels, width, from, sums);
}
void SparseF32(const SparseRows<float>& rows, std::size_t width, MatrixView<const float> matrix,
               MatrixView<float> to) {
  Sparse(rows, width, matrix, to);
}
void AddSparseTransposedF32(const SparseRows<float>& rows, std::size_t width, MatrixView<const float> g,
                            MatrixView<float> matrix) {
  AddSparseTransposed(rows, width, g, matrix);
}
void LookUpF64(std::size_t count, const std::uint32_t* labels, std::size_t width,
               MatrixView<const double> table, MatrixView<double> to, bool adds) {
  LookUp(count, labels, width, table, to, adds);
}
void AddByLabelF64(std::size_t count, const std::uint32_t* labels, std::size_t width,
                   MatrixView<const double> from, MatrixView<double> sums) {
  AddByLabel(count, labels, width, from, sums);
}
void SparseF64(const SparseRows<double>& rows, std::size_t width, MatrixView<const double> matrix,
               MatrixView<double> to) {
  Sparse(rows, width, matrix, to);
}
void AddSparseTransposedF64(const SparseRows<double>& rows, std::size_t width, MatrixView<const double> g,
                            MatrixView<double> matrix) {
  AddSparseTransposed(rows, width, g, matrix);
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twofold::compute {

HWY_EXPORT(LookUpF32);
HWY_EXPORT(AddByLabelF32);
HWY_EXPORT(SparseF32);
HWY_EXPORT(AddSparseTransposedF32);
template <>
void look_up_rows(std::size_t count, const std::uint32_t* labels, std::size_t width,
                  MatrixView<const float> table, MatrixView<float> to, bool adds) {
  HWY_DYNAMIC_DISPATCH(LookUpF32)(count, labels, width, table, to, adds);
}
template <>
void add_rows_by_label(std::size_t count, const std::uint32_t* labels, std::size_t width,
                       MatrixView<const float> from, MatrixView<float> sums) {
  HWY_DYNAMIC_DISPATCH(AddByLabelF32)(count, labels, width, from, sums);
}
template <>
void sparse_product(const SparseRows<float>& rows, std::size_t width, MatrixView<const float> matrix,
                    MatrixView<float> to) {
  HWY_DYNAMIC_DISPATCH(SparseF32)(rows, width, matrix, to);
}
template <>
void add_sparse_transposed_product(const SparseRows<float>& rows, std::size_t width, MatrixView<const float> g,
                                   MatrixView<float> matrix) {
  HWY_DYNAMIC_DISPATCH(AddSparseTransposedF32)(rows, width, g, matrix);
}
HWY_EXPORT(LookUpF64);
HWY_EXPORT(AddByLabelF64);
HWY_EXPORT(SparseF64);
HWY_EXPORT(AddSparseTransposedF64);
template <>
void look_up_rows(std::size_t count, const std::uint32_t* labels, std::size_t width,
                  MatrixView<const double> table, MatrixView<double> to, bool adds) {
  HWY_DYNAMIC_DISPATCH(LookUpF64)(count, labels, width, table, to, adds);
}
template <>
void add_rows_by_label(std::size_t count, const std::uint32_t* labels, std::size_t width,
                       MatrixView<const double> from, MatrixView<double> sums) {
  HWY_DYNAMIC_DISPATCH(AddByLabelF64)(count, labels, width, from, sums);
}
template <>
void sparse_product(const SparseRows<double>& rows, std::size_t width, MatrixView<const double> matrix,
                    MatrixView<double> to) {
  HWY_DYNAMIC_DISPATCH(SparseF64)(rows, width, matrix, to);
}
template <>
void add_sparse_transposed_product(const SparseRows<double>& rows, std::size_t width,
                                   MatrixView<const double> g, MatrixView<double> matrix) {
  HWY_DYNAMIC_DISPATCH(AddSparseTransposedF64)(rows, width, g, matrix);
}

}  // namespace twofold::compute
#endif
