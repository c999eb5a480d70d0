#pragma once

#include <cstddef>
#include <cstdint>

#include "twofold/compute/matrix_product.h"

namespace twofold::compute {

/// Rows whose values are those of their label: a product with one-hot features is a look-up.
/// to[i,:] = table[labels[i],:], or += if `adds`, then factors[i] times unless these are null; `width` values
/// per row. Null labels: labels[i] = i.
template <typename T>
void look_up_rows(std::size_t count, const std::uint32_t* labels, std::size_t width, MatrixView<const T> table,
                  MatrixView<T> to, bool adds, const T* factors = nullptr);

/// The reverse: sums[labels[i],:] += from[i,:], factors[i] times unless these are null, in the order of i.
template <typename T>
void add_rows_by_label(std::size_t count, const std::uint32_t* labels, std::size_t width,
                       MatrixView<const T> from, MatrixView<T> sums, const T* factors = nullptr);

/// Rows of few values that are not zero. Nothing here is owned.
template <typename T>
struct SparseRows {
  std::size_t num_rows = 0;
  // num_rows + 1 ascending positions from 0 in the next two.
  const std::uint32_t* offsets = nullptr;
  const std::uint32_t* columns = nullptr;
  const T* values = nullptr;
};

/// to = rows * matrix, `width` columns.
template <typename T>
void sparse_product(const SparseRows<T>& rows, std::size_t width, MatrixView<const T> matrix, MatrixView<T> to);

/// matrix += transpose(rows) * g.
template <typename T>
void add_sparse_transposed_product(const SparseRows<T>& rows, std::size_t width, MatrixView<const T> g,
                                   MatrixView<T> matrix);

}  // namespace twofold::compute
