#pragma once

#include <cstddef>
#include <cstdint>

#include "twofold/base/random.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

/// G(n, p) of Erdős and Rényi: each of the n(n-1)/2 edges with probability p, independently.
/// Needs 0 <= p <= 1, else UsageError. O(n²) draws, one per pair, whatever p: the skipping that sparse graphs
/// invite needs a logarithm, whose last bits differ between platforms.
Graph erdos_renyi_graph(std::size_t n, double p, Random& random);

/// Uniform among the n^(n-2) labelled trees, by its Prüfer sequence. n = 0 gives the empty graph. O(n).
Graph random_tree(std::size_t n, Random& random);

struct RandomGraphsOptions {
  std::size_t n = 20;  // nodes of every graph
  double edge_probability = 0.2;
  std::size_t num_graphs = 100;
};

/// Erdős–Rényi graphs, without classes.
Dataset generate_random(const RandomGraphsOptions& options = {}, std::uint64_t seed = 1);

struct TreesOptions {
  std::size_t n = 20;  // nodes of every tree
  std::size_t num_graphs = 100;
};

/// Uniform labelled trees, without classes. Throws UsageError for n = 0.
Dataset generate_trees(const TreesOptions& options = {}, std::uint64_t seed = 1);

}  // namespace twofold::graph
