#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "twofold/base/digest.h"
#include "twofold/graph/dataset.h"

namespace twofold {

/// 32 hexadecimal digits that stand for what a dataset holds: graphs, labels, attributes, targets, in their
/// order. Its name and the format it was read from do not count.
///
/// For noticing that data changed, not against forgers: other data gives the same digits about once in 2^128
/// tries. Frozen: records hold it. O(size), nothing is copied.
std::string checksum(const Dataset& dataset);

/// The same of a dataset whose graphs come in blocks.
class DatasetChecksum {
 public:
  explicit DatasetChecksum(std::size_t num_graphs) { digest_.add(static_cast<std::uint64_t>(num_graphs)); }
  /// The next graphs.
  void add(Span<const Graph> graphs);
  /// After the last. Of `dataset` all but the graphs counts.
  std::string finish(const Dataset& dataset);

 private:
  Digest digest_;
  std::shared_ptr<const NodeFeatures> features_;  // all graphs share one table
};

/// The same for a text.
std::string checksum(const std::string& text);

}  // namespace twofold
