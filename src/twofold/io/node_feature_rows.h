#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "twofold/graph/graph_builder.h"

namespace twofold::io {

/// Columns of sparse features are below this: no file makes a network of more weights.
inline constexpr double kMostFeatureColumns = 1'000'000;

/// A column as a reader found it; fail(needed, found) must throw.
template <typename Fail>
std::uint32_t feature_column(double column, const Fail& fail) {
  if (column < 0 || column >= kMostFeatureColumns)
    fail(fmt::format("columns of features in 0..{:.0f}", kMostFeatureColumns - 1),
         fmt::format("{:.0f}", column));
  return static_cast<std::uint32_t>(column);
}

/// `17 twice` if a row has a column twice; else empty.
inline std::string column_twice(std::vector<NodeFeatureTable::Entry> row) {
  std::sort(row.begin(), row.end());
  for (std::size_t i = 1; i < row.size(); ++i)
    if (row[i - 1].first == row[i].first) return fmt::format("{} twice", row[i].first);
  return "";
}

/// Gives all graphs, which have no labels, the features of their nodes: one table for all.
inline void give_features(std::vector<std::vector<std::vector<NodeFeatureTable::Entry>>> rows,
                          std::vector<Graph>& graphs) {
  NodeFeatureTable table;
  std::vector<std::vector<Label>> labels(rows.size());
  for (std::size_t g = 0; g < rows.size(); ++g)
    for (auto& row : rows[g]) labels[g].push_back(table.number(std::move(row)));
  const auto features = std::make_shared<const NodeFeatures>(table.take(table.columns()));
  for (std::size_t g = 0; g < graphs.size(); ++g)
    graphs[g] = GraphBuilder::with_node_features(std::move(graphs[g]), features, std::move(labels[g]));
}

}  // namespace twofold::io
