#pragma once

#include <torch/types.h>

#include <cstdint>

#include "twofold/torch/gather_scatter.h"
#include "twofold/train/encoded_dataset.h"
#include "twofold/train/engine.h"

namespace twofold::tensors {

/// What GraphModel reads: graphs side by side, a row per pair of nodes (2-wl-gnn, 2-gnn) or per node (the
/// others). Tensors are of the network's number type and on its device.
struct GraphBatch {
  /// Initial features of every row.
  torch::Tensor features;
  /// 2-wl-gnn: which rows meet.
  ReferenceTensors references;
  /// 2-gnn, gin, gcn, sage.
  Neighborhood neighborhood;
  RowGroups groups;
  /// From which dropout follows.
  std::uint64_t seed = 0;

  /// Memory of its tensors.
  std::uint64_t num_bytes() const;
};

/// Graphs of a dataset as `model` reads them; `type` tells number type and device.
/// O(rows * columns + triples or neighbors); 2-gnn: the sum over rows of the degrees of both ends.
GraphBatch make_graph_batch(const train::EncodedDataset& data, const train::Batch& batch,
                            const model::ModelOptions& model, const train::FeatureScaling& scaling,
                            const torch::TensorOptions& type = {});

}  // namespace twofold::tensors
