#pragma once

#include <cstdint>
#include <vector>

#include "twofold/compute/gin_net.h"
#include "twofold/levels/level_cutter.h"
#include "twofold/train/encoded_dataset.h"

namespace twofold::train {

/// A batch of colors as compute::GinNet takes it, T float or double, with all that it refers to.
template <typename T>
struct GinBatch {
  GinBatch() = default;
  GinBatch(const GinBatch&) = delete;
  GinBatch& operator=(const GinBatch&) = delete;

  struct Level {
    // SparseRows' three.
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> columns;
    std::vector<T> values;
    std::vector<std::uint32_t> own;
    std::vector<T> counts;
    // Graph after graph: its rows and how often each counts.
    std::vector<std::uint64_t> pool_offsets;
    std::vector<std::uint32_t> pool_rows;
    std::vector<std::uint64_t> pool_counts;
    std::vector<compute::PoolSegment> segments;
  };
  std::vector<std::uint32_t> graphs;
  std::vector<Level> levels;
  compute::GinNetBatch<T> net;
};

/// Cuts batches out of the levels of a dataset by integer work. Not for several threads at once.
class GinBatcher {
 public:
  /// Finds the dataset's levels, unless it has them. The data must outlive the batcher, and has to be encoded
  /// for gin.
  GinBatcher(const EncodedDataset& data, const model::ModelOptions& model, const FeatureScaling& scaling);

  /// Overwrites `to`, which is independent of the batcher from then on. O(colors and their sources).
  template <typename T>
  void fill(const std::vector<std::uint32_t>& graphs, GinBatch<T>& to);

 private:
  const levels::NeighborLevels& levels_;
  levels::Cutter<levels::Row> cutter_;
  // The initial features of level 0's rows, data.columns() values each.
  std::size_t columns_;
  std::vector<float> features_;

  std::vector<std::size_t> numbers_;
  levels::BatchLevels<levels::Row> cut_;
  std::vector<std::uint64_t> entry_;
};

}  // namespace twofold::train
