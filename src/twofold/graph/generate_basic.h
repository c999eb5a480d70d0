#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/random.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

/// All n(n-1)/2 edges. n = 0 gives the empty graph.
Graph complete_graph(std::size_t n);

/// Nodes 0…n-1 in a row: n-1 edges. n = 0 gives the empty graph.
Graph path_graph(std::size_t n);

/// Nodes 0…n-1 in a ring. Throws UsageError for n < 3.
Graph cycle_graph(std::size_t n);

/// `rows` times `columns` nodes, each joined to the next in its row and in its column; node (i, j) is
/// i * columns + j.
Graph grid_graph(std::size_t rows, std::size_t columns);

/// Two nodes are adjacent iff they are not in `g`. Labels, attributes and self-loops are left out. O(n²).
Graph complement(const Graph& g);

/// Every node can be reached from every other; so it is for at most one node. O(n + m).
bool is_connected(const Graph& g);

/// `g` under a uniformly random renaming of its nodes.
Graph randomly_renamed(const Graph& g, Random& random);

/// Each of `graphs` `copies` times, one graph's copies together: the first as it is, the others randomly
/// renamed. The class of a copy is its graph's in `class_of_graph`; if that is empty there are no classes.
/// Throws UsageError for copies = 0.
Dataset renamed_copies(std::string name, const std::vector<Graph>& graphs,
                       const std::vector<std::string>& class_of_graph, std::size_t copies, std::uint64_t seed);

struct PathsOptions {
  std::size_t min_nodes = 1;
  std::size_t max_nodes = 10;
};

/// One path of each number of nodes from min_nodes to max_nodes, without classes. Nothing is random.
/// Throws UsageError for min_nodes = 0 and min_nodes > max_nodes.
Dataset generate_paths(const PathsOptions& options = {});

}  // namespace twofold::graph
