#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::graph {

/// Classes of twins: nodes that can be exchanged without changing the graph or a color. Twins have the same
/// neighbors, themselves left out; those of a class are all adjacent to each other, or none are.
struct Twins {
  // One a class: its smallest node, ascending; its size; whether its nodes are adjacent; another node of it,
  // or the smallest again if it has only one.
  std::vector<Node> member;
  std::vector<std::uint32_t> size;
  std::vector<bool> is_clique;
  std::vector<Node> other;
  // One a node.
  std::vector<std::uint32_t> class_of;

  std::size_t num_classes() const { return member.size(); }
};

/// Twins by edges alone, or also by colors: one per node, one per edge by its number; each may be empty, which
/// means that all are of one color. Edge colors need a graph with edge labels or attributes.
/// O(n + m) and the time to sort n hashes; 60 bytes per node. With `collapse` false each node is a class of its
/// own.
Twins find_twins(const Graph& g, Span<const std::uint32_t> node_colors = {},
                 Span<const std::uint32_t> edge_colors = {}, bool collapse = true);

/// The graph of one node per class. Distances between different classes are those of their nodes.
Graph graph_of_classes(const Graph& g, const Twins& twins);

}  // namespace twofold::graph
