#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::pairs {

/// Means and scales of attributes over the training graphs: a network reads (value - mean) / scale. Empty
/// vectors leave values as they are.
struct FeatureScaling {
  std::vector<double> node_mean;
  std::vector<double> node_scale;
  std::vector<double> edge_mean;
  std::vector<double> edge_scale;
  /// Sparse features of a node are divided by the sum of their absolute values.
  bool divides_features = false;
};

/// (value - mean) / scale. Throws InputError where that is beyond 32-bit floats: a value very far from those of
/// the training graphs.
float scaled_attribute(double value, double mean, double scale);

/// Which column of the initial features means what (paper Def. 4.2): side by side the indicators [is loop, is
/// edge, is indirect], a column for every node label and node attribute, filled on loops only, and one for
/// every edge label and edge attribute, filled on edges only. It writes the rows: nobody else counts columns.
///
/// Rows differ, but for their attributes, by one of num_row_labels() labels: a loop for every node label (at
/// least one), an edge for every edge label (at least one), and the indirect pair, in that order.
struct FeatureLayout {
  bool indicators = true;
  // The label of each column, strictly ascending; empty if nodes (edges) have none.
  std::vector<Label> node_labels;
  // Or the columns of sparse features (0: none), and all their rows, which node labels are the numbers of; a
  // layout that no graphs were looked at for has none.
  std::size_t feature_columns = 0;
  std::shared_ptr<const NodeFeatures> feature_rows = nullptr;
  std::size_t node_attributes = 0;
  std::vector<Label> edge_labels;
  std::size_t edge_attributes = 0;

  std::size_t columns() const { return edge_attribute_column() + edge_attributes; }
  /// Where each part begins among the columns.
  std::size_t node_label_column() const { return indicators ? 3U : 0U; }
  std::size_t node_attribute_column() const {
    return node_label_column() + node_labels.size() + feature_columns;
  }
  std::size_t edge_label_column() const { return node_attribute_column() + node_attributes; }
  std::size_t edge_attribute_column() const { return edge_label_column() + edge_labels.size(); }
  /// Rows then differ by their label alone.
  bool has_labels_only() const { return node_attributes == 0 && edge_attributes == 0; }

  /// Writes the columns() values of a loop, of an edge by its number, of an indirect pair. T is float or
  /// double. The graph has the labels and attributes of the layout; throws InputError for a label without a
  /// column, and as scaled_attribute.
  template <typename T>
  void write_loop(const Graph& g, Node v, const FeatureScaling& scaling, T* row) const;
  template <typename T>
  void write_edge(const Graph& g, std::size_t edge, const FeatureScaling& scaling, T* row) const;
  template <typename T>
  void write_indirect(T* row) const;
  /// The attributes alone: node_attributes, or edge_attributes, values.
  template <typename T>
  void write_node_attributes(const Graph& g, Node v, const FeatureScaling& scaling, T* out) const;
  template <typename T>
  void write_edge_attributes(const Graph& g, std::size_t edge, const FeatureScaling& scaling, T* out) const;

  std::size_t num_loop_labels() const {
    if (feature_rows != nullptr) return feature_rows->num_rows();
    return node_labels.empty() ? 1 : node_labels.size();
  }
  std::size_t num_edge_labels() const { return edge_labels.empty() ? 1 : edge_labels.size(); }
  std::size_t num_row_labels() const { return num_loop_labels() + num_edge_labels() + 1; }
  /// The label of a loop, of an edge, of an indirect pair. Errors as above.
  std::uint32_t loop_label(const Graph& g, Node v) const;
  std::uint32_t edge_label(const Graph& g, std::size_t edge) const;
  std::uint32_t indirect_label() const { return static_cast<std::uint32_t>(num_row_labels() - 1); }
  /// num_row_labels() rows of columns() values, 0 in the columns of attributes: the features of a row are the
  /// row of its label but for attributes, so a product with them is a look-up.
  template <typename T>
  std::vector<T> label_features() const;

  /// The same one by one: put(column, value) for what is not 0 of a label's row.
  template <typename Put>
  void for_each_label_value(std::size_t label, const FeatureScaling& scaling, const Put& put) const {
    const std::size_t loops = num_loop_labels(), edges = num_edge_labels();
    if (indicators) put(label < loops ? 0 : label < loops + edges ? 1 : 2, 1.0f);
    if (label < loops && feature_rows != nullptr)
      put_features(label, scaling, put);
    else if (label < loops && !node_labels.empty())
      put(node_label_column() + label, 1.0f);
    else if (label >= loops && label < loops + edges && !edge_labels.empty())
      put(edge_label_column() + label - loops, 1.0f);
  }

  /// The place of a label among node_labels, edge_labels. Throws InputError if it is none of them.
  std::size_t node_label_index(Label label) const;
  std::size_t edge_label_index(Label label) const;

 private:
  template <typename Put>
  void put_features(std::size_t row, const FeatureScaling& scaling, const Put& put) const {
    const Span<const std::uint32_t> at = feature_rows->row_indices(row);
    const Span<const float> values = feature_rows->row_values(row);
    double sum = 0;
    for (const float value : values) sum += std::abs(static_cast<double>(value));
    const double scale = scaling.divides_features && sum > 0 ? 1 / sum : 1;
    for (std::size_t i = 0; i < at.size(); ++i)
      put(node_label_column() + at[i], static_cast<float>(values[i] * scale));
  }
};
bool operator==(const FeatureLayout& a, const FeatureLayout& b);

/// The layout that holds what all the graphs have. Labels from 0 or 1 up to at most 1000 get a column for every
/// number up to the largest, as in the paper's experiments, whether it occurs or not; others for each that
/// occurs. Throws InputError, naming the graph (from 0), if some graphs have labels or attributes and others
/// not.
FeatureLayout feature_layout(Span<const Graph> graphs, bool indicators = true);

}  // namespace twofold::pairs
