#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/graph/dataset.h"

namespace twofold::graph {

/// Smallest, mean, largest and population standard deviation of a number of values; all 0 if there are none.
struct Spread {
  std::size_t count = 0;
  double min = 0;
  double mean = 0;
  double max = 0;
  double std = 0;
};

/// Integer labels of nodes or edges.
struct LabelUse {
  std::size_t used = 0;  // different labels that occur
  // Columns that a one-hot code has: the largest label, and one more if 0 occurs; gaps count (D&D: 89 for 82
  // labels). Labels below 0 widen it likewise. This is the figure of the paper's table.
  std::size_t columns = 0;
};

/// The row of a dataset in the table of the paper's Appendix C, and what else one wants to know at first sight.
/// As there, a self-loop counts as one edge, and as 1 in its node's degree.
struct DatasetStatistics {
  std::string name;
  std::size_t graphs = 0;
  Spread nodes;   // a graph
  Spread edges;   // a graph
  Spread degree;  // a node, over all nodes of all graphs
  Spread radius;  // a connected graph; its count says how many are. Empty if not asked for
  LabelUse node_labels;
  LabelUse edge_labels;
  std::size_t node_attributes = 0;
  std::size_t edge_attributes = 0;
  std::size_t directed_graphs = 0;  // edges, degrees and radius are those without directions
  std::size_t self_loops = 0;
  std::size_t isolated_nodes = 0;  // no neighbor; a self-loop does not help
  std::vector<std::pair<std::string, std::size_t>>
      classes;  // name and number of graphs, in the dataset's order
  std::size_t real_targets = 0;
  // Sparse features: their columns, and how many a node has on average; 0 if there are none. Node labels are
  // then the rows of these, and are not counted.
  std::size_t feature_columns = 0;
  double features_per_node = 0;
  // Of nodes and of pairs: how many are asked about, of how many the target is known, and of each class.
  struct Items {
    std::size_t count = 0;
    std::size_t known = 0;
    std::vector<std::pair<std::string, std::size_t>> classes;
  };
  Items nodes_with_targets;
  Items pairs_with_targets;
};

struct StatisticsOptions {
  bool with_radius = true;     // see graph/radius.h for its cost
  int threads = 0;             // changes the speed only
  Progress progress;           // counts graphs
  std::size_t num_graphs = 0;  // of all blocks, for the progress; 0: of the one
};

/// The same for a dataset whose graphs come in blocks, in any order; the result does not depend on the blocks.
/// Memory: that of the different labels.
class StatisticsSum {
 public:
  explicit StatisticsSum(StatisticsOptions options = {});
  ~StatisticsSum();
  /// Graphs of one dataset: class_names, num_real_targets and the name are those of all blocks.
  void add(const Dataset& block);
  DatasetStatistics result() const;

 private:
  struct Sums;
  StatisticsOptions options_;
  std::unique_ptr<Sums> sums_;
};

/// Cost O(n + m) and that of the radius, graph by graph in parallel. An empty dataset gives zeros.
DatasetStatistics describe(const Dataset& dataset, const StatisticsOptions& options = {});

}  // namespace twofold::graph
