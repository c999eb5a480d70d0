#pragma once

#include <torch/types.h>

#include <cstdint>
#include <optional>

#include "twofold/ops/gather_scatter.h"
#include "twofold/ops/neighbor_sum_op.h"
#include "twofold/ops/pair_conv_op.h"
#include "twofold/ops/segment_pool_op.h"

namespace twofold::nn {

/// What a network reads: graphs side by side, a row a pair of nodes (2-wl-gnn, 2-gnn) or a node (the others).
/// Our own loops or stock operations are taken by which of the forms is given; train/torch_batch.h makes both
/// from encoded graphs. Tensors are of the network's number type and on its device.
struct GraphBatch {
  /// Initial features: a row a row, or, if undefined, row labels[f] of label_features for row f (int64).
  torch::Tensor features;
  torch::Tensor labels;
  torch::Tensor label_features;

  /// 2-wl-gnn: which rows meet; references are taken if the plan is null.
  ops::Plan plan;
  ops::ReferenceTensors references;
  /// 2-gnn, gin, gcn, sage.
  ops::Neighborhood neighborhood;
  /// Which rows are pooled into which graph.
  ops::RowGroups groups;
  /// A value a row: how many equal rows it stands for, in batch normalization; undefined: 1 each.
  torch::Tensor counts;

  /// From which dropout follows.
  std::uint64_t seed = 0;
};

}  // namespace twofold::nn
