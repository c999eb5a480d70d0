#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "twofold/graph/dataset.h"

namespace twofold::train {

/// The graphs of a dataset that is larger than the memory: handed out in blocks, as often as they are needed.
class GraphBlocks {
 public:
  virtual ~GraphBlocks() = default;
  virtual std::size_t num_graphs() const = 0;
  /// Calls visit(block, first) for every block in the order of the graphs, until it returns false. `first` is
  /// the number of the block's first graph.
  virtual void visit(const std::function<bool(const Dataset& block, std::size_t first)>& visit) = 0;
  /// What the graphs would take in memory, about.
  virtual std::uint64_t memory() const = 0;
};

/// What is kept of such a dataset while a network learns.
struct BlockSummary {
  /// All but the graphs, which it has none of.
  Dataset targets;
  /// Of a dataset with these graphs.
  std::string checksum;
  /// Some of the graphs, which together have all labels, degrees and kinds of data that there are.
  std::vector<Graph> known;
};

/// One pass. `empty` is the dataset without graphs and targets.
BlockSummary summarize(GraphBlocks& blocks, const Dataset& empty);

}  // namespace twofold::train
