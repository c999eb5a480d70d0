#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/graph/dataset.h"
#include "twofold/io/lines_frame.h"

namespace twofold::io {

struct BlocksOptions {
  int threads = 0;
  /// In bytes; 0 takes nine tenths of what the process may have. A block's text is a small part of it.
  std::uint64_t max_memory = 0;
  /// Of a block's text, at most, unless a single line has more; 0: by the memory.
  std::uint64_t block_bytes = 0;
  /// Told how many bytes of the file the first pass has read.
  Progress progress;
};

/// A JSON-lines file read in two passes, for datasets that are larger than the memory: the first finds what all
/// graphs have in common (classes, names of labels and targets), the second hands out blocks of graphs,
/// numbered as if they had been read together. Memory does not grow with the number of graphs, only with that
/// of different classes and labels.
class DatasetBlocks {
 public:
  /// Whether this is a JSON-lines file whose graphs would take more memory than is left: about eight times the
  /// text. Standard input and pipes are read once, so they are not.
  static bool suits(const std::string& path, std::uint64_t max_memory);

  /// Reads all lines once. Throws as read_dataset; also InputError for targets of nodes and pairs and for
  /// sparse features, which are numbered over all graphs together.
  explicit DatasetBlocks(const std::string& path, const BlocksOptions& options = {});
  ~DatasetBlocks();
  DatasetBlocks(const DatasetBlocks&) = delete;
  DatasetBlocks& operator=(const DatasetBlocks&) = delete;

  std::size_t num_graphs() const { return frame_.num_lines(); }
  /// What all graphs have in common.
  const LinesFrame& frame() const { return frame_; }
  /// The dataset without its graphs.
  const Dataset& empty_dataset() const { return empty_; }

  /// The next block, in the order of the file; false after the last. Throws InputError if the file has changed
  /// since the first pass.
  bool next(Dataset& block);
  /// The number of the first graph of the block that next() gave last, from 0.
  std::size_t first() const { return first_; }
  /// Begins again with the first block.
  void rewind();

 private:
  bool read_lines(std::vector<JsonLine>& lines);
  bool read_texts(std::vector<std::string>& texts);

  std::string path_;
  BlocksOptions options_;
  std::uint64_t block_bytes_;
  std::FILE* file_ = nullptr;
  std::string unread_;           // the beginning of the line that a block did not reach the end of
  std::size_t blank_lines_ = 0;  // that stand at the end, or before a line that makes them wrong
  bool at_end_ = false;
  std::size_t line_ = 0;  // lines handed out
  std::size_t first_ = 0;
  LinesFrame frame_;
  Dataset empty_;
};

}  // namespace twofold::io
