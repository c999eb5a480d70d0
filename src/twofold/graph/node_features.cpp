#include "twofold/graph/node_features.h"

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"

namespace twofold {

void NodeFeatures::check() const {
  TWOFOLD_CHECK(!offsets.empty() && offsets.front() == 0 && offsets.back() == indices.size());
  TWOFOLD_CHECK(std::is_sorted(offsets.begin(), offsets.end()) && indices.size() == values.size());
  for (std::size_t row = 0; row < num_rows(); ++row) {
    const Span<const std::uint32_t> at = row_indices(row);
    for (std::size_t i = 0; i < at.size(); ++i)
      TWOFOLD_CHECK(at[i] < columns && (i == 0 || at[i - 1] < at[i]), "row {} has the column {}", row, at[i]);
  }
  for (const float value : values) TWOFOLD_CHECK(std::isfinite(value) && value != 0);
}

bool operator==(const NodeFeatures& a, const NodeFeatures& b) {
  return a.columns == b.columns && a.offsets == b.offsets && a.indices == b.indices && a.values == b.values;
}

std::int32_t NodeFeatureTable::number(std::vector<Entry> row) {
  row.erase(std::remove_if(row.begin(), row.end(), [](const Entry& entry) { return entry.second == 0; }),
            row.end());
  std::sort(row.begin(), row.end());
  const auto [at, is_new] = numbers_.emplace(row, static_cast<std::int32_t>(numbers_.size()));
  if (!is_new) return at->second;
  for (const auto& [column, value] : row) {
    made_.indices.push_back(column);
    made_.values.push_back(value);
    columns_ = std::max(columns_, std::size_t{column} + 1);
  }
  made_.offsets.push_back(static_cast<std::uint32_t>(made_.indices.size()));
  return at->second;
}

NodeFeatures NodeFeatureTable::take(std::size_t columns) {
  TWOFOLD_CHECK(columns >= columns_, "{} columns for rows of {}", columns, columns_);
  made_.columns = columns;
  numbers_.clear();
  return std::move(made_);
}

}  // namespace twofold
