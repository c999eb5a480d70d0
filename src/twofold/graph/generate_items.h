#pragma once

#include <cstdint>

#include "twofold/graph/dataset.h"

namespace twofold::graph {

// Datasets whose targets are about nodes or pairs of nodes, with known answers.

/// One per node: whether it lies on a simple cycle of that length, 3 to 8. O(n d^length) for degree d.
std::vector<bool> on_cycle(const Graph& g, std::size_t length);

struct CycleNodesOptions {
  std::size_t length = 3;  // of the cycle, 3 to 8
  std::size_t n = 0;       // nodes of every graph, even; 0: about as many on such a cycle as not
  std::size_t num_graphs = 100;
};

/// Random cubic graphs; a node's class is 1 if it lies on a cycle of the given length. All nodes have degree 3,
/// so all look the same to 1-WL: nothing it bounds does better than the commoner class. Throws UsageError for
/// another length, and for an n without cubic graphs.
Dataset generate_cycle_nodes(const CycleNodesOptions& options = {}, std::uint64_t seed = 1);

struct BlockModelOptions {
  std::size_t n = 60;      // nodes of every graph
  std::size_t blocks = 3;  // 2 or more
  double within = 0.3;     // the probability of an edge between nodes of one block …
  double between = 0.05;   // … and of different blocks
  double revealed = 0.1;   // the share of the nodes of each block, at least one, whose label is their block
  std::size_t num_graphs = 50;
};

/// Stochastic block models: a node's class is its block, 0, 1, … Nodes are dealt to the blocks in turn, in
/// random order. Those revealed have the label block + 1 and no target; all others the label 0. Throws
/// UsageError for fewer than two nodes per block, and for numbers that are no probabilities.
Dataset generate_block_models(const BlockModelOptions& options = {}, std::uint64_t seed = 1);

struct SrgLinksOptions {
  std::size_t pairs = 10;  // asked about in each piece
  std::size_t num_graphs = 30;
};

/// Each graph is Paley's graph of 13 nodes, T(5) and the 4 x 4 rook's graph side by side, nodes renamed: all
/// strongly regular of degree 6, so 1-WL sees one kind of node. Asked about are pairs of nodes of one piece
/// that are not adjacent; the class is how many neighbors both have: 3, 4 or 2. Throws UsageError for more
/// pairs than the smallest piece has (15).
Dataset generate_srg_links(const SrgLinksOptions& options = {}, std::uint64_t seed = 1);

}  // namespace twofold::graph
