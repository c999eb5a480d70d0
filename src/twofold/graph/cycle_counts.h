#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/base/span.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

/// Counting takes a time that grows with the length; beyond this it is not worth asking.
inline constexpr int kLongestCycle = 16;

/// A range of lengths, both ends included. 3 <= shortest <= longest <= kLongestCycle.
struct CycleLengths {
  int shortest = 3;
  int longest = 7;

  std::size_t count() const {
    return static_cast<std::size_t>(longest) - static_cast<std::size_t>(shortest) + 1;
  }
};

/// `5` or `3-7`. Throws UsageError for anything else and for lengths outside 3…kLongestCycle.
CycleLengths parse_cycle_lengths(const std::string& text);

/// How many simple cycles of each length there are: subgraphs that are cycles, chords or not, each once.
struct CycleCounts {
  CycleLengths lengths;
  // One number a length: the cycles of the graph.
  std::vector<std::uint64_t> in_graph;
  // A row per node, one number per length: the cycles through the node.
  std::vector<std::uint64_t> at_node;
  // A row per edge by its number in Graph, one number per length: the cycles through the edge.
  std::vector<std::uint64_t> at_edge;

  Span<const std::uint64_t> of_node(Node v) const {
    return {at_node.data() + v * lengths.count(), lengths.count()};
  }
  Span<const std::uint64_t> of_edge(std::size_t edge) const {
    return {at_edge.data() + edge * lengths.count(), lengths.count()};
  }
  /// Throws CheckError unless for every length L the edges' numbers add up to L times the graph's, the nodes'
  /// too, and the edges' at a node to twice that node's.
  void check(const Graph& g) const;
};

struct CountCyclesOptions {
  /// 0 takes all available threads. Never changes a result.
  int threads = 1;
  /// Told how many edges are done, of how many.
  Progress progress = {};
};

/// Exact, and independent of any WL test. Self-loops, labels and attributes do not matter. A graph without
/// edges has zeros.
///
/// For every edge uv, cycles through it are paths from u to v; the last three steps of a path are counted by
/// formula, not walked. So the longest length L costs, over all edges, the paths of L - 4 steps from one end:
/// about m d^(L-4) for nodes of degree d, and m d for L up to 4. Nodes on no cycle (trees hanging on the graph)
/// cost nothing. Memory: 24 bytes per edge and 8 per length at each node and edge, 8 (L - 3) bytes per node for
/// every thread.
/// Throws UsageError for lengths outside 3…kLongestCycle, Error if a number exceeds 64 bits.
CycleCounts count_cycles(const Graph& g, CycleLengths lengths, const CountCyclesOptions& options = {});

/// Of each graph. Several graphs at once; a single one by several threads.
std::vector<CycleCounts> count_cycles(Span<const Graph> graphs, CycleLengths lengths,
                                      const CountCyclesOptions& options = {});

}  // namespace twofold::graph
