#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "twofold/graph/dataset.h"
#include "twofold/io/block_source.h"

namespace twofold::io {

struct BlocksOptions {
  int threads = 0;
  /// In bytes; 0 takes nine tenths of what the process may have. A block's text is a small part of it.
  std::uint64_t max_memory = 0;
  /// Of a block's text, at most, unless a single graph has more; 0: by the memory.
  std::uint64_t block_bytes = 0;
};

/// A JSON-lines file, a graph6 or sparse6 file or a TU folder read in passes, for datasets that are larger than
/// the memory: the first finds what all graphs have in common (classes, names of labels and targets), later
/// ones hand out blocks of graphs, numbered as if they had been read together. Memory does not grow with the
/// number of graphs (of TU folders by 8 bytes per graph), only with that of different classes and labels.
class DatasetBlocks {
 public:
  /// Whether this is such a dataset whose graphs would take more memory than is left. Standard input, pipes and
  /// archives are read once, so they are not.
  static bool suits(const std::string& path, std::uint64_t max_memory);

  /// Reads everything once. Throws as read_dataset; also InputError for targets of nodes and pairs and for
  /// sparse features, which are numbered over all graphs together.
  explicit DatasetBlocks(const std::string& path, const BlocksOptions& options = {});

  std::size_t num_graphs() const { return source_->frame().num_graphs; }
  /// What all graphs have in common.
  const DatasetFrame& frame() const { return source_->frame(); }
  /// What the graphs would take if they were read whole, about.
  std::uint64_t memory() const { return memory_; }
  /// The dataset without its graphs.
  const Dataset& empty_dataset() const { return frame().empty; }

  /// The next block, in the order of the files; false after the last. Throws InputError if the files have
  /// changed since the first pass.
  bool next(Dataset& block);
  /// The number of the first graph of the block that next() gave last, from 0.
  std::size_t first() const { return first_; }
  /// Begins again with the first block.
  void rewind();

 private:
  std::string path_;
  std::unique_ptr<BlockSource> source_;
  std::uint64_t memory_ = 0;
  std::size_t first_ = 0;
  std::size_t done_ = 0;  // graphs handed out
};

}  // namespace twofold::io
