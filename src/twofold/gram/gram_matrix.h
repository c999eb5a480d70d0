#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace twofold::gram {

__extension__ typedef __int128 Wide;
/// In decimal.
std::string to_text(Wide value);

/// The inner products of the feature counts of some graphs: symmetric, exact; or a block of its rows.
struct GramMatrix {
  std::size_t size = 0;  // graphs: columns, and rows of the whole
  // Row by row; size · size, or those of the block.
  std::vector<std::int64_t> values;
  // A block's first row, and the diagonal of the whole; may be empty where all rows are here.
  std::size_t begin = 0;
  std::vector<std::int64_t> diagonal = {};

  /// The row after the last.
  std::size_t end() const { return size == 0 ? begin : begin + values.size() / size; }
  /// Needs begin <= i < end().
  std::int64_t at(std::size_t i, std::size_t j) const { return values[(i - begin) * size + j]; }
  const std::int64_t* row(std::size_t i) const { return values.data() + (i - begin) * size; }
  /// K(i,i), of any row of the whole.
  std::int64_t own(std::size_t i) const { return diagonal.empty() ? at(i, i) : diagonal[i]; }
  /// Of the whole.
  Wide trace() const;
  /// The sum of all entries that are here.
  Wide total() const;
  /// Row i of the cosine matrix, K(i,j) / sqrt(K(i,i) K(j,j)): exactly 1 on the diagonal, 0 for a graph without
  /// any feature. O(size).
  void normalized_row(std::size_t i, std::vector<double>& row) const;
  /// Throws CheckError unless it is square, symmetric and K(i,j)² <= K(i,i) K(j,j). O(size²).
  void check() const;
};

}  // namespace twofold::gram
