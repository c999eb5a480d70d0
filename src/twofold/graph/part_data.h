#pragma once

#include <utility>
#include <vector>

#include "twofold/graph/graph_builder.h"

namespace twofold::graph {

/// Collects the labels and attributes of the nodes and edges of a graph that go into a part of it, in the order
/// in which the part has them.
class PartData {
 public:
  explicit PartData(const Graph& whole) : whole_(whole) {}

  void add_node(Node v) {
    if (whole_.has_node_labels()) node_labels_.push_back(whole_.node_labels()[v]);
    append(whole_.node_attributes(v), node_attributes_);
  }
  /// The number of an edge or self-loop. Once per call of add_edge of the part's builder.
  void add_edge(std::size_t edge) {
    if (whole_.has_edge_labels()) edge_labels_.push_back(whole_.edge_labels()[edge]);
    if (whole_.num_edge_attributes() > 0) append(whole_.edge_attributes(edge), edge_attributes_);
  }

  Graph build(GraphBuilder builder) && {
    if (whole_.has_node_labels()) builder.set_node_features(whole_.node_features(), std::move(node_labels_));
    if (whole_.num_node_attributes() > 0)
      builder.set_node_attributes(whole_.num_node_attributes(), std::move(node_attributes_));
    if (whole_.has_edge_labels()) builder.set_edge_labels(std::move(edge_labels_));
    if (whole_.num_edge_attributes() > 0)
      builder.set_edge_attributes(whole_.num_edge_attributes(), std::move(edge_attributes_));
    return std::move(builder).build();
  }

 private:
  static void append(Span<const double> row, std::vector<double>& values) {
    values.insert(values.end(), row.begin(), row.end());
  }

  const Graph& whole_;
  std::vector<Label> node_labels_, edge_labels_;
  std::vector<double> node_attributes_, edge_attributes_;
};

}  // namespace twofold::graph
