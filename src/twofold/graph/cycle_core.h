#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/cycle_counts.h"
#include "twofold/graph/graph.h"

// What count_cycles walks on. Not for other callers.
namespace twofold::graph {

/// What is left of a graph when nodes of degree 0 and 1 are taken away until there are none: every cycle.
class CycleCore {
 public:
  explicit CycleCore(const Graph& g);

  std::size_t num_nodes() const { return offsets_.size() - 1; }
  std::size_t num_edges() const { return neighbors_.size() / 2; }
  Span<const Node> neighbors(Node v) const { return {neighbors_.data() + offsets_[v], degree(v)}; }
  std::size_t degree(Node v) const { return offsets_[v + 1] - offsets_[v]; }
  /// Parallel to neighbors(v): the edge's number in the graph.
  Span<const std::uint32_t> edges(Node v) const { return {edges_.data() + offsets_[v], degree(v)}; }
  /// Parallel to neighbors(v): how many neighbors both ends share.
  Span<const std::uint32_t> triangles(Node v) const { return {triangles_.data() + offsets_[v], degree(v)}; }

  /// Each edge is counted from one of its ends, its root: that of the higher degree (the larger node, if
  /// equal), so that paths start where there are fewer.
  bool is_root_of(Node root, Node other) const {
    return degree(root) != degree(other) ? degree(root) > degree(other) : root > other;
  }
  std::size_t num_edges_of_root(Node root) const;

 private:
  std::vector<std::size_t> offsets_ = {0};
  std::vector<Node> neighbors_;
  std::vector<std::uint32_t> edges_;
  std::vector<std::uint32_t> triangles_;
};

/// Counts the cycles through edges. The buffers of one thread.
class CycleWalker {
 public:
  /// `core` must outlive this.
  CycleWalker(const CycleCore& core, CycleLengths lengths);

  /// Writes the rows (lengths.count() numbers, as in CycleCounts::at_edge) of all edges whose root is `root`.
  void count_at(Node root, std::vector<std::uint64_t>& at_edge);

 private:
  void look_around_root();
  void forget_root();
  void step(std::size_t place);
  std::uint64_t close_path(Node w, std::size_t places, std::uint32_t shared_with_last) const;
  bool needs_shared(std::size_t place) const { return place + 2 <= deepest_ && at_root_[path_[place]] != 0; }
  void enter(std::size_t place);
  void leave(std::size_t place);

  const CycleCore& core_;
  CycleLengths lengths_;
  // Places 0…deepest_ of a path are walked; three more steps lead to the root.
  std::size_t deepest_;

  Node root_ = 0;
  // A node each: whether it is a neighbor of the root; how many neighbors it shares with it; how many paths of
  // three steps lead to it.
  std::vector<std::uint8_t> at_root_;
  std::vector<std::uint32_t> shared_with_root_;
  std::vector<std::uint64_t> three_steps_;
  std::vector<Node> within_three_;  // the nodes where any of these is not 0; may repeat

  std::vector<Node> path_;
  // A node each: the places of the path it is a neighbor of, as bits; whether it is on the path itself.
  std::vector<std::uint32_t> near_path_;
  std::vector<std::uint8_t> on_path_;
  // A place each: how many neighbors a node shares with the node there. Filled for neighbors of the root, where
  // needs_shared says.
  std::vector<std::vector<std::uint32_t>> shared_;
  // A length each: what the current edge has.
  std::vector<std::uint64_t> found_;
};

}  // namespace twofold::graph
