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
HWY_INLINE void CopyRow(std::size_t width, const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
  const hn::ScalableTag<T> tag;
  const std::size_t N = hn::Lanes(tag);
  std::size_t at = 0;
  for (; at + N <= width; at += N) hn::StoreU(hn::LoadU(tag, from + at), tag, to + at);
  for (; at < width; ++at) to[at] = from[at];
}

template <typename T>
void LookUp(std::size_t count, const std::uint32_t* labels, std::size_t width, MatrixView<const T> table,
            MatrixView<T> to, bool adds, const T* factors) {
  for (std::size_t i = 0; i < count; ++i) {
    const T* from = table.data + (labels == nullptr ? i : labels[i]) * table.stride;
    if (adds)
      AddRow(width, factors == nullptr ? T{1} : factors[i], from, to.data + i * to.stride);
    else
      CopyRow(width, from, to.data + i * to.stride);
  }
}

// sum += factors[i] * row i of `from`, for begin … end - 1.
template <typename T>
HWY_INLINE void AddRun(std::size_t begin, std::size_t end, std::size_t width, MatrixView<const T> from,
                       const T* factors, T* HWY_RESTRICT sum) {
  const hn::ScalableTag<T> tag;
  const std::size_t N = hn::Lanes(tag);
  const auto factor = [&](std::size_t i) { return factors == nullptr ? T{1} : factors[i]; };
  std::size_t at = 0;
  for (; at + 4 * N <= width; at += 4 * N) {
    T* to = sum + at;
    auto sum0 = hn::LoadU(tag, to), sum1 = hn::LoadU(tag, to + N);
    auto sum2 = hn::LoadU(tag, to + 2 * N), sum3 = hn::LoadU(tag, to + 3 * N);
    for (std::size_t i = begin; i < end; ++i) {
      const T* HWY_RESTRICT row = from.data + i * from.stride + at;
      const auto times = hn::Set(tag, factor(i));
      sum0 = hn::MulAdd(times, hn::LoadU(tag, row), sum0);
      sum1 = hn::MulAdd(times, hn::LoadU(tag, row + N), sum1);
      sum2 = hn::MulAdd(times, hn::LoadU(tag, row + 2 * N), sum2);
      sum3 = hn::MulAdd(times, hn::LoadU(tag, row + 3 * N), sum3);
    }
    hn::StoreU(sum0, tag, to);
    hn::StoreU(sum1, tag, to + N);
    hn::StoreU(sum2, tag, to + 2 * N);
    hn::StoreU(sum3, tag, to + 3 * N);
  }
  for (; at + N <= width; at += N) {
    auto sum0 = hn::LoadU(tag, sum + at);
    for (std::size_t i = begin; i < end; ++i)
      sum0 = hn::MulAdd(hn::Set(tag, factor(i)), hn::LoadU(tag, from.data + i * from.stride + at), sum0);
    hn::StoreU(sum0, tag, sum + at);
  }
  for (; at < width; ++at)
    for (std::size_t i = begin; i < end; ++i) sum[at] += factor(i) * from.data[i * from.stride + at];
}

template <typename T>
void AddByLabel(std::size_t count, const std::uint32_t* labels, std::size_t width, MatrixView<const T> from,
                MatrixView<T> sums, const T* factors) {
  const auto label = [&](std::size_t i) { return labels == nullptr ? i : std::size_t{labels[i]}; };
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    // Rows of one label often come one after the other, as all edges of a graph without edge labels do. Added
    // up in memory, each would wait for the one before to be written.
    for (end = begin + 1; end < count && label(end) == label(begin);) ++end;
    AddRun(begin, end, width, from, factors, sums.data + label(begin) * sums.stride);
  }
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
               MatrixView<float> to, bool adds, const float* factors) {
  LookUp(count, labels, width, table, to, adds, factors);
}
void AddByLabelF32(std::size_t count, const std::uint32_t* labels, std::size_t width,
                   MatrixView<const float> from, MatrixView<float> sums, const float* factors) {
  AddByLabel(count, labels, width, from, sums, factors);
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
               MatrixView<const double> table, MatrixView<double> to, bool adds, const double* factors) {
  LookUp(count, labels, width, table, to, adds, factors);
}
void AddByLabelF64(std::size_t count, const std::uint32_t* labels, std::size_t width,
                   MatrixView<const double> from, MatrixView<double> sums, const double* factors) {
  AddByLabel(count, labels, width, from, sums, factors);
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
                  MatrixView<const float> table, MatrixView<float> to, bool adds, const float* factors) {
  HWY_DYNAMIC_DISPATCH(LookUpF32)(count, labels, width, table, to, adds, factors);
}
template <>
void add_rows_by_label(std::size_t count, const std::uint32_t* labels, std::size_t width,
                       MatrixView<const float> from, MatrixView<float> sums, const float* factors) {
  HWY_DYNAMIC_DISPATCH(AddByLabelF32)(count, labels, width, from, sums, factors);
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
                  MatrixView<const double> table, MatrixView<double> to, bool adds, const double* factors) {
  HWY_DYNAMIC_DISPATCH(LookUpF64)(count, labels, width, table, to, adds, factors);
}
template <>
void add_rows_by_label(std::size_t count, const std::uint32_t* labels, std::size_t width,
                       MatrixView<const double> from, MatrixView<double> sums, const double* factors) {
  HWY_DYNAMIC_DISPATCH(AddByLabelF64)(count, labels, width, from, sums, factors);
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
