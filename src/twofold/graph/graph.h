#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/node_features.h"

namespace twofold {

using Node = std::uint32_t;
using Label = std::int32_t;

struct Edge {
  Node u;
  Node v;
};
inline bool operator==(Edge a, Edge b) { return a.u == b.u && a.v == b.v; }

/// What an edge is, seen from one of its ends.
enum class Direction : std::uint8_t { kBoth = 0, kOut = 1, kIn = 2 };
inline Direction reversed(Direction d) {
  return d == Direction::kBoth ? d : d == Direction::kOut ? Direction::kIn : Direction::kOut;
}

/// A finite, simple graph with optional labels and attributes; made by GraphBuilder, then immutable.
///
/// Graphs are undirected, unless is_directed(): then every edge says which way its arcs lead, and neighbors,
/// degrees and edges are those of the graph without directions. Only the tests of `wl` read directions;
/// everything else refuses directed graphs (require_undirected, dataset.h).
///
/// Nodes are 0…n-1. Self-loops are marks on nodes: they are neither among the neighbors nor among the m edges.
/// Edges are numbered 0…m-1 in ascending order of (smaller end, larger end); self-loops that the input had are
/// numbered after them, m…m+num_self_loops()-1, by node. Edge labels and attributes are stored by that number.
/// Reading from several threads is safe. Memory: 4 (n + 1) + 8 m bytes, and as much again as the data it
/// carries.
class Graph {
 public:
  Graph() = default;

  std::size_t num_nodes() const { return offsets_.size() - 1; }
  /// Edges between different nodes.
  std::size_t num_edges() const { return neighbors_.size() / 2; }
  std::size_t num_self_loops() const { return self_loops_.size(); }

  /// Ascending, without repetition, without v itself.
  Span<const Node> neighbors(Node v) const {
    return {neighbors_.data() + offsets_[v], offsets_[v + 1] - offsets_[v]};
  }
  /// Number of neighbors; a self-loop does not count.
  std::size_t degree(Node v) const { return offsets_[v + 1] - offsets_[v]; }
  /// O(log degree). False for u == v.
  bool has_edge(Node u, Node v) const;
  /// O(log number of self-loops).
  bool has_self_loop(Node v) const;
  /// The nodes with a self-loop, ascending.
  Span<const Node> self_loops() const { return self_loops_; }
  /// All edges, u < v, in the order of their numbers, without self-loops. O(m).
  std::vector<Edge> edges() const;

  bool is_directed() const { return is_directed_; }
  /// Of the edge between v and its i-th neighbor: whether arcs lead out of v, into it, or both. kBoth in an
  /// undirected graph.
  Direction direction(Node v, std::size_t i) const {
    return is_directed_ ? directions_[offsets_[v] + i] : Direction::kBoth;
  }
  /// Every arc (from u to v) of a directed graph, ascending, without self-loops. Needs is_directed(). O(m).
  std::vector<Edge> arcs() const;

  bool has_node_labels() const { return !node_labels_.empty(); }
  /// One a node; empty if the graph has none (or no nodes).
  Span<const Label> node_labels() const { return node_labels_; }

  /// Sparse features: the row of each node is its label. Null if the nodes have none.
  const std::shared_ptr<const NodeFeatures>& node_features() const { return node_features_; }

  std::size_t num_node_attributes() const { return num_node_attributes_; }
  Span<const double> node_attributes(Node v) const {
    return {node_attributes_.data() + v * num_node_attributes_, num_node_attributes_};
  }

  bool has_edge_labels() const { return !edge_labels_.empty(); }
  /// One an edge by its number, then one a self-loop; empty if there are none.
  Span<const Label> edge_labels() const { return edge_labels_; }

  std::size_t num_edge_attributes() const { return num_edge_attributes_; }
  /// `edge` is an edge's or a self-loop's number.
  Span<const double> edge_attributes(std::size_t edge) const {
    return {edge_attributes_.data() + edge * num_edge_attributes_, num_edge_attributes_};
  }

  /// The numbers of the edges to neighbors(v), in the same order.
  /// Only for graphs with edge labels or attributes; empty otherwise.
  Span<const std::uint32_t> incident_edges(Node v) const {
    if (incident_edges_.empty()) return {};
    return {incident_edges_.data() + offsets_[v], degree(v)};
  }

  /// Throws CheckError unless every sentence at the arrays below holds. O(n + m log m).
  void check() const;

 private:
  friend class GraphBuilder;

  // n + 1 ascending positions in neighbors_; the first is 0, the last 2m.
  std::vector<std::uint32_t> offsets_ = {0};
  // At offsets_[v]…offsets_[v+1]: the neighbors of v, strictly ascending, never v; u is among v's iff v among
  // u's.
  std::vector<Node> neighbors_;
  // Whether edges have directions; then directions_ is parallel to neighbors_, and what one end calls kOut the
  // other calls kIn. Else it is empty.
  bool is_directed_ = false;
  std::vector<Direction> directions_;
  // Strictly ascending nodes.
  std::vector<Node> self_loops_;
  // Empty, or n.
  std::vector<Label> node_labels_;
  // Null, or a table that has a row for every node label.
  std::shared_ptr<const NodeFeatures> node_features_;
  // n rows of num_node_attributes_ values.
  std::size_t num_node_attributes_ = 0;
  std::vector<double> node_attributes_;
  // Empty, or m + number of self-loops.
  std::vector<Label> edge_labels_;
  // m + number of self-loops rows of num_edge_attributes_ values.
  std::size_t num_edge_attributes_ = 0;
  std::vector<double> edge_attributes_;
  // Parallel to neighbors_: the edge's number. Empty unless there are edge labels or attributes.
  std::vector<std::uint32_t> incident_edges_;
};

/// Same nodes, edges, self-loops, labels and attributes under the same numbers.
bool operator==(const Graph& a, const Graph& b);
inline bool operator!=(const Graph& a, const Graph& b) { return !(a == b); }

/// The graph in which node v of `g` is called new_name[v]. Needs new_name to be a permutation of 0…n-1.
Graph relabeled(const Graph& g, Span<const Node> new_name);

/// The graphs side by side, the nodes of a later one numbered after those of the earlier ones.
/// Labels and attributes are kept if all graphs have them (and equally many), dropped otherwise.
/// Throws InputError for directed graphs together with undirected ones.
Graph disjoint_union(Span<const Graph> graphs);

}  // namespace twofold
