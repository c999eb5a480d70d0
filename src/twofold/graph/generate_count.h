#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/graph/dataset.h"
#include "twofold/graph/pattern_counts.h"

namespace twofold::graph {

struct CountTaskOptions {
  std::vector<Pattern> patterns = {{Pattern::Kind::kCycle, 3},
                                   {Pattern::Kind::kCycle, 4},
                                   {Pattern::Kind::kCycle, 5},
                                   {Pattern::Kind::kCycle, 6}};
  std::size_t min_nodes = 10;
  std::size_t max_nodes = 30;
  std::size_t num_graphs = 1000;
  /// Targets of nodes instead: how many copies go through each, divided by the standard deviation over all
  /// nodes, so that a mean absolute error is the normalized one of the literature. One pattern, a cycle.
  bool per_node = false;
};

/// Random graphs with real targets: how often each pattern is a subgraph, one target per pattern, named after
/// it. Half of the graphs are Erdős and Rényi's of a mean degree 2 to 6, half are regular of degree 3 to 6 with
/// a tenth of the edges taken away; sizes, degrees and edges are drawn. No classes, no labels.
/// Throws UsageError unless 7 <= min_nodes <= max_nodes, without patterns, and per node for anything but a
/// cycle.
Dataset generate_count(const CountTaskOptions& options = {}, std::uint64_t seed = 1);

}  // namespace twofold::graph
