#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/graph/graph.h"

namespace twofold {

/// An edge was added twice with different data. The entries count calls of add_edge from 0.
class EdgeConflict : public InputError {
 public:
  EdgeConflict(const std::string& message, std::size_t first, std::size_t second)
      : InputError(message), first_entry(first), second_entry(second) {}
  std::size_t first_entry;
  std::size_t second_entry;
};

/// Collects nodes, edges and their data in any order, then makes a Graph in O(n + m).
class GraphBuilder {
 public:
  explicit GraphBuilder(std::size_t num_nodes = 0);

  /// Adds {u, v}; u == v marks a self-loop. Adding an edge again, in either direction, changes nothing.
  /// Throws CheckError for a node outside 0…n-1.
  void add_edge(Node u, Node v);

  /// The graph is directed, even if it has no arcs.
  void set_directed() { is_directed_ = true; }
  /// Adds the arc from u to v to a directed graph; u == v marks a self-loop. Both arcs between two nodes are
  /// one edge, so they have one label and one row of attributes. Counts as a call of add_edge. Needs that all
  /// entries of the graph are arcs.
  void add_arc(Node u, Node v);

  /// Room for that many add_edge calls.
  void reserve_edges(std::size_t count);

  /// One a node. Needs labels.size() == n.
  void set_node_labels(std::vector<Label> labels);
  /// Sparse features: `labels` are rows of the table, one a node. Instead of set_node_labels.
  void set_node_features(std::shared_ptr<const NodeFeatures> features, std::vector<Label> labels);
  /// n rows of `columns` values each.
  void set_node_attributes(std::size_t columns, std::vector<double> values);
  /// One a call of add_edge, in that order. An edge added twice must get the same label twice.
  void set_edge_labels(std::vector<Label> labels);
  /// One row of `columns` values a call of add_edge; the same rule.
  void set_edge_attributes(std::size_t columns, std::vector<double> values);

  /// The graph; the builder is used up. Throws EdgeConflict, and Error for more than 2^31-1 edges.
  Graph build() &&;

  /// The graph with other labels: as many as it has, of nodes and of edges (none where it has none).
  static Graph with_labels(Graph graph, std::vector<Label> nodes, std::vector<Label> edges);
  /// A directed graph without its directions; an undirected one as it is.
  static Graph without_directions(Graph graph);
  /// A graph without labels with these features.
  static Graph with_node_features(Graph graph, std::shared_ptr<const NodeFeatures> features,
                                  std::vector<Label> labels);

 private:
  std::size_t n_;
  bool is_directed_ = false;
  std::vector<Edge> entries_;
  std::vector<Label> node_labels_;
  std::shared_ptr<const NodeFeatures> node_features_;
  std::size_t num_node_attributes_ = 0;
  std::vector<double> node_attributes_;
  std::vector<Label> edge_labels_;
  std::size_t num_edge_attributes_ = 0;
  std::vector<double> edge_attributes_;
};

}  // namespace twofold
