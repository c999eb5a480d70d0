#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::python {

/// Several graphs in flat arrays, as Python's objects give them, before they are built.
struct FlatGraphs {
  // A graph more than there are, ascending, the first is 0: where its nodes and its edges begin.
  std::vector<std::uint64_t> nodes = {0};
  std::vector<std::uint64_t> edges = {0};
  // Whether the ends are those of arcs.
  bool is_directed = false;
  // One per edge: nodes counted from 0 within the graph, below its number of nodes. An edge may come twice, in
  // either direction.
  std::vector<Edge> ends;
  // Empty, or one per node, or a row per node.
  std::vector<Label> node_labels;
  std::size_t node_columns = 0;
  std::vector<double> node_attributes;
  // Empty, or one per edge, or a row per edge.
  std::vector<Label> edge_labels;
  std::size_t edge_columns = 0;
  std::vector<double> edge_attributes;

  std::size_t size() const { return nodes.size() - 1; }
};

/// The graphs, built by all threads. Throws InputError naming the graph for an edge with two different labels.
std::vector<Graph> build_graphs(const FlatGraphs& flat, int threads);

}  // namespace twofold::python
