#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/pairs/feature_layout.h"
#include "twofold/pairs/pair_set.h"

namespace twofold::pairs {

/// Calls on_edge(row, number of the edge) or on_indirect(row) for every row behind the loops, in order: rows
/// and edges are both numbered by (i, j).
template <typename OnEdge, typename OnIndirect>
void for_each_pair_row(const PairSet& set, const OnEdge& on_edge, const OnIndirect& on_indirect) {
  std::size_t edge = 0;
  for (std::size_t row = set.num_nodes(); row < set.num_rows(); ++row)
    if (set.kind[row] == RowKind::kEdge)
      on_edge(row, edge++);
    else
      on_indirect(row);
}

/// Writes the p rows of layout.columns() values for the graph that `set` was made from. T is float or double.
/// Throws InputError for a label the layout lacks, for attributes it has no room for, and as scaled_attribute.
template <typename T>
void write_features(const Graph& g, const PairSet& set, const FeatureLayout& layout, T* out,
                    const FeatureScaling& scaling = {});

/// One of layout.num_row_labels() per row. Errors as write_features.
std::vector<std::uint32_t> row_labels(const Graph& g, const PairSet& set, const FeatureLayout& layout);

}  // namespace twofold::pairs
