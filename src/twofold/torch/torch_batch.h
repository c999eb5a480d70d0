#pragma once

#include "twofold/torch/graph_batch.h"
#include "twofold/train/encoded_dataset.h"
#include "twofold/train/engine.h"

namespace twofold::tensors {

/// A batch as tensors; it refers to the dataset and to its own slice, so it is neither copied nor moved.
struct TorchBatch {
  TorchBatch() = default;
  TorchBatch(const TorchBatch&) = delete;
  TorchBatch& operator=(const TorchBatch&) = delete;

  tensors::GraphBatch graphs;
  PairSlice slice;
  /// Where the rows of each graph begin; one more than there are graphs. Empty on colors.
  std::vector<std::uint64_t> row_offsets;
  /// On colors: 4-byte values that their lists take, about.
  std::uint64_t index_count = 0;

  /// Memory of features, of lists and of pair sets of its own, in terms of 4-byte values.
  std::uint64_t num_values() const;
};

struct TorchBatchOptions {
  /// Index tensors for stock operations instead of plans for our own loops.
  bool stock = false;
  torch::Dtype dtype = torch::kFloat;
  torch::Device device = torch::kCPU;
  /// Pool only the loops' rows.
  bool loops_only = false;
  /// Features as one matrix even where labels would do: to take gradients by them.
  bool dense_features = false;
};

/// O(rows * columns), or O(rows) where rows have labels only; stock also O(triples).
std::unique_ptr<TorchBatch> make_torch_batch(const EncodedDataset& data, const Batch& batch,
                                             const FeatureScaling& scaling, const TorchBatchOptions& options);

}  // namespace twofold::tensors
