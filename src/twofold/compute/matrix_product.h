#pragma once

#include <cstddef>

namespace twofold::compute {

/// A matrix in memory: its first value, and how many values lie from one row to the next.
template <typename T>
struct MatrixView {
  T* data = nullptr;
  std::size_t stride = 0;
};

/// c = a b, or c += a b if `adds`: a of m rows and k columns, b of k and n, c of m and n, T float or double.
///
/// For tall a and a small b that stays in the first-level cache, which is what layers are: nothing is packed or
/// copied, and each value of c is added up in one order, so the bits depend on nothing but the values. One
/// thread.
template <typename T>
void matrix_product(std::size_t m, std::size_t k, std::size_t n, MatrixView<const T> a, MatrixView<const T> b,
                    MatrixView<T> c, bool adds = false);

/// c += transpose(a) b: a of m rows and k columns, b of m and n, c of k and n. As matrix_product, for tall a
/// and b. Values are added up by blocks of rows, so that rounding grows with their number's root at most.
template <typename T>
void add_transposed_product(std::size_t m, std::size_t k, std::size_t n, MatrixView<const T> a,
                            MatrixView<const T> b, MatrixView<T> c);

/// to[j,i] = from[i,j], from of m rows and n columns.
template <typename T>
void transpose(std::size_t m, std::size_t n, MatrixView<const T> from, MatrixView<T> to);

}  // namespace twofold::compute
