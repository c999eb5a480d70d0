#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace twofold::gram {

__extension__ typedef __int128 Wide;
/// In decimal.
std::string to_text(Wide value);

/// The inner products of the feature counts of some graphs: symmetric, exact.
struct GramMatrix {
  std::size_t size = 0;
  // Row by row; size · size.
  std::vector<std::int64_t> values;

  std::int64_t at(std::size_t i, std::size_t j) const { return values[i * size + j]; }
  Wide trace() const;
  /// The sum of all entries.
  Wide total() const;
  /// Row i of the cosine matrix, K(i,j) / sqrt(K(i,i) K(j,j)): exactly 1 on the diagonal, 0 for a graph without
  /// any feature. O(size).
  void normalized_row(std::size_t i, std::vector<double>& row) const;
  /// Throws CheckError unless it is square, symmetric and K(i,j)² <= K(i,i) K(j,j). O(size²).
  void check() const;
};

}  // namespace twofold::gram
