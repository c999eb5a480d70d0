#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "twofold/base/span.h"

namespace twofold {

/// Sparse features of nodes, such as the words of a text: a table of all different rows that occur. A node has
/// one row of it, whose number is the node's label. So whatever tells nodes apart by their labels (colors, WL
/// tests, kernels) tells them apart by these features, and a product with them is a look-up.
struct NodeFeatures {
  // Of the rows, in all.
  std::size_t columns = 0;
  // One more than there are rows, ascending from 0: positions in the next two.
  std::vector<std::uint32_t> offsets = {0};
  // A row's columns, strictly ascending, below `columns` …
  std::vector<std::uint32_t> indices;
  // … and its values there, finite and not 0.
  std::vector<float> values;

  std::size_t num_rows() const { return offsets.size() - 1; }
  Span<const std::uint32_t> row_indices(std::size_t row) const {
    return {indices.data() + offsets[row], offsets[row + 1] - offsets[row]};
  }
  Span<const float> row_values(std::size_t row) const {
    return {values.data() + offsets[row], offsets[row + 1] - offsets[row]};
  }
  /// Throws CheckError unless every sentence above holds; that no two rows are equal is not looked at.
  void check() const;
};
bool operator==(const NodeFeatures& a, const NodeFeatures& b);

/// Collects rows and gives equal ones the same number, in the order of their first sight.
class NodeFeatureTable {
 public:
  using Entry = std::pair<std::uint32_t, float>;

  /// The number of a row with these columns and values, in any order, each column once. Zeros are left out.
  std::int32_t number(std::vector<Entry> row);
  /// The table; `columns` at least as many as the rows need.
  NodeFeatures take(std::size_t columns);
  /// Columns that the rows so far need.
  std::size_t columns() const { return columns_; }

 private:
  std::map<std::vector<Entry>, std::int32_t> numbers_;
  NodeFeatures made_;
  std::size_t columns_ = 0;
};

}  // namespace twofold
