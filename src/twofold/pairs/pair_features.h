#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/pairs/pair_set.h"

namespace twofold::pairs {

/// Which column of the initial features means what (paper Def. 4.2): side by side the indicators [is loop, is
/// edge, is indirect], a column for every node label and node attribute, filled on loops only, and one for
/// every edge label and edge attribute, filled on edges only.
struct FeatureLayout {
  bool indicators = true;
  // The label of each column, strictly ascending; empty if nodes (edges) have none.
  std::vector<Label> node_labels;
  std::size_t node_attributes = 0;
  std::vector<Label> edge_labels;
  std::size_t edge_attributes = 0;

  std::size_t columns() const { return edge_attribute_column() + edge_attributes; }
  /// Where the attributes begin among the columns.
  std::size_t node_attribute_column() const { return (indicators ? 3U : 0U) + node_labels.size(); }
  std::size_t edge_attribute_column() const {
    return node_attribute_column() + node_attributes + edge_labels.size();
  }
  /// Rows then differ by kind and label alone: see row_labels.
  bool has_labels_only() const { return node_attributes == 0 && edge_attributes == 0; }
};
bool operator==(const FeatureLayout& a, const FeatureLayout& b);

/// The layout that holds what all the graphs have. Labels from 0 or 1 up to at most 1000 get a column for every
/// number up to the largest, as in the paper's experiments, whether it occurs or not; others for each that
/// occurs. Throws InputError, naming the graph (from 0), if some graphs have labels or attributes and others
/// not.
FeatureLayout feature_layout(Span<const Graph> graphs, bool indicators = true);

/// Writes the p rows of layout.columns() values for the graph that `set` was made from. T is float or double.
/// Throws InputError for a label the layout lacks and for attributes it has no room for.
template <typename T>
void write_features(const Graph& g, const PairSet& set, const FeatureLayout& layout, T* out);

/// How many kinds of rows there are without attributes: a loop for every node label (at least one), an edge for
/// every edge label (at least one), and the indirect pair, in that order.
std::size_t num_row_labels(const FeatureLayout& layout);

/// One of num_row_labels a row. The initial features of row f are row row_labels[f] of label_features, but for
/// its attributes, so a product with them is a look-up. Errors as write_features.
std::vector<std::uint32_t> row_labels(const Graph& g, const PairSet& set, const FeatureLayout& layout);

/// num_row_labels rows of layout.columns() values, 0 in the columns of attributes.
template <typename T>
std::vector<T> label_features(const FeatureLayout& layout);

}  // namespace twofold::pairs
