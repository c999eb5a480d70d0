#pragma once

#include <memory>

#include "twofold/compute/net.h"
#include "twofold/train/encoded_dataset.h"
#include "twofold/train/engine.h"

namespace twofold::train {

/// Makes batches of a dataset as compute::Net takes them, T float or double: graph by graph with all their
/// rows, or as colors. What it gives is valid until the next call with the same slot: for shards of a batch
/// that are needed side by side. Not for several threads at once.
template <typename T>
class BatchMaker {
 public:
  virtual ~BatchMaker() = default;
  virtual const compute::NetBatch<T>& make(const Batch& batch, std::size_t slot = 0) = 0;
  /// What a graph takes, in no unit. It depends on the graphs and the network alone.
  virtual std::uint64_t cost(std::uint32_t graph) const = 0;
};

/// `shape` is that of the network (train/net_shape.h), which says what is read out and normalized. Data and
/// shape must outlive the result.
template <typename T>
std::unique_ptr<BatchMaker<T>> make_row_batches(const EncodedDataset& data, const model::ModelOptions& model,
                                                const compute::NetShape& shape, const FeatureScaling& scaling);
/// The same for nodes and pairs, which may come without all of their graphs (Batch::by_need).
template <typename T>
std::unique_ptr<BatchMaker<T>> make_field_batches(const EncodedDataset& data, const model::ModelOptions& model,
                                                  const compute::NetShape& shape,
                                                  const FeatureScaling& scaling);
/// How many rows of that graph some of its nodes or pairs need.
std::uint64_t rows_needed(const EncodedDataset& data, std::uint32_t graph, Span<const std::uint32_t> items);
/// The same with the first `front_layers` of a 2-wl-gnn's layers on colors, once for all graphs of a batch: for
/// graphs whose rows have labels alone, all of them kept. The network reads none of these layers out, adds none
/// to the one behind and drops no rows.
template <typename T>
std::unique_ptr<BatchMaker<T>> make_mixed_batches(const EncodedDataset& data, const model::ModelOptions& model,
                                                  const compute::NetShape& shape, const FeatureScaling& scaling,
                                                  std::size_t front_layers);
/// Finds the dataset's colors, unless it has them. Not for simulated networks.
template <typename T>
std::unique_ptr<BatchMaker<T>> make_color_batches(const EncodedDataset& data, const model::ModelOptions& model,
                                                  const compute::NetShape& shape,
                                                  const FeatureScaling& scaling);

}  // namespace twofold::train
