#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "twofold/graph/dataset.h"
#include "twofold/io/json_lines.h"

namespace twofold::io {

/// What all graphs of a dataset have in common, known before the first of them is handed out.
struct DatasetFrame {
  std::size_t num_graphs = 0;
  /// The dataset without its graphs.
  Dataset empty;
  /// What some graph has.
  WrittenKinds kinds;
  /// All labels that nodes have, if they are numbers.
  std::set<Label> node_labels;
  /// Some graph has nodes without labels.
  bool has_bare_nodes = false;
  /// Not empty: there is data that is numbered over all graphs together (`targets of nodes`), so there are no
  /// blocks.
  std::string numbered_together;
};

/// A dataset of one format for DatasetBlocks, which counts the graphs.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  /// From the first pass.
  virtual const DatasetFrame& frame() const = 0;
  /// The graphs of the next block with their targets; false after the last. Throws InputError where the files
  /// no longer go together with the frame.
  virtual bool next(Dataset& block) = 0;
  /// Begins again with the first block.
  virtual void rewind() = 0;
};

struct BlockSourceOptions {
  int threads = 0;
  /// Of a block's text, about.
  std::uint64_t block_bytes = 0;
};

// Each reads everything once; what is wrong is thrown here, in the words of read_dataset.

std::unique_ptr<BlockSource> json_blocks(const std::string& path, const BlockSourceOptions& options);
std::unique_ptr<BlockSource> graph6_blocks(const std::string& path, const BlockSourceOptions& options);
/// Memory grows by 8 bytes per graph. Where the entries of _A are not in the order of their graphs, the files
/// of edges are read once per block.
std::unique_ptr<BlockSource> tu_blocks(const std::string& folder, const BlockSourceOptions& options);

}  // namespace twofold::io
