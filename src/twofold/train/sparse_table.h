#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/base/span.h"
#include "twofold/compute/label_rows.h"

namespace twofold::train {

/// Rows of few values that are not zero, with their memory: features, or who is summed into whom.
template <typename T>
struct SparseTable {
  std::vector<std::uint32_t> offsets = {0};
  std::vector<std::uint32_t> columns;
  std::vector<T> values;

  /// Keeps the memory.
  void clear() {
    offsets.assign(1, 0);
    columns.clear();
    values.clear();
  }
  void put(std::uint32_t column, T value) {
    columns.push_back(column);
    values.push_back(value);
  }
  /// Ends the row that was put together; checks that all rows together stay below 2^32 values.
  void end_row() {
    TWOFOLD_CHECK(columns.size() <= std::numeric_limits<std::uint32_t>::max(), "{} summands", columns.size());
    offsets.push_back(static_cast<std::uint32_t>(columns.size()));
  }
  /// So many rows and values, for the caller to fill in; what was there is void. Checks as end_row() does.
  void resize(std::size_t num_rows, std::size_t num_values) {
    TWOFOLD_CHECK(num_values <= std::numeric_limits<std::uint32_t>::max(), "{} summands", num_values);
    offsets.resize(num_rows + 1);
    columns.resize(num_values);
    values.resize(num_values);
  }
  /// So many rows and values more, for the caller to fill in. Checks as end_row() does.
  struct More {
    /// Values before these.
    std::uint32_t begin;
    /// Where each of the rows ends.
    std::uint32_t* ends;
    std::uint32_t* columns;
    T* values;
  };
  More grow(std::size_t more_rows, std::size_t more_values) {
    const std::size_t rows = num_rows(), begin = columns.size();
    resize(rows + more_rows, begin + more_values);
    return {static_cast<std::uint32_t>(begin), offsets.data() + rows + 1, columns.data() + begin,
            values.data() + begin};
  }
  /// Appends a row, its zeros left out.
  void add(Span<const float> row) {
    for (std::size_t c = 0; c < row.size(); ++c)
      if (row[c] != 0) put(static_cast<std::uint32_t>(c), static_cast<T>(row[c]));
    end_row();
  }
  /// Appends row number `row` of another table.
  void add(const SparseTable& other, std::size_t row) {
    for (std::size_t at = other.offsets[row]; at < other.offsets[row + 1]; ++at)
      put(other.columns[at], other.values[at]);
    end_row();
  }
  std::size_t num_rows() const { return offsets.size() - 1; }
  compute::SparseRows<T> view() const { return {num_rows(), offsets.data(), columns.data(), values.data()}; }
};

}  // namespace twofold::train
