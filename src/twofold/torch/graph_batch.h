#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "twofold/torch/gather_scatter.h"
#include "twofold/torch/neighbor_sum_op.h"
#include "twofold/torch/pair_conv_op.h"
#include "twofold/torch/segment_pool_op.h"

namespace twofold::tensors {

/// The different colors of a batch's rows after so many convolutions (levels/level_cutter.h), and how they
/// come from those before.
struct ColorRows {
  /// Row of label_features that each has (int64); undefined: row f has row f.
  torch::Tensor labels;
  /// As in GraphBatch. gin needs all, the others the groups of the last only.
  tensors::RowGroups groups;
  torch::Tensor counts;

  // Of all but the first. The row before that each goes on from (int64).
  torch::Tensor own;
  /// From the rows before to these; gin, gcn: each row's own is among its sources. 2-gnn: to nodes …
  tensors::Neighborhood neighborhood;
  /// … and from these to the rows, each of which has so many (a column of values).
  tensors::Neighborhood ends;
  torch::Tensor num_ends;
};

/// What a network reads: graphs side by side, a row a pair of nodes (2-wl-gnn, 2-gnn) or a node (the others).
/// Our own loops or stock operations are taken by which of the forms is given; train/torch_batch.h makes both
/// from encoded graphs. Tensors are of the network's number type and on its device.
struct GraphBatch {
  /// Initial features: a row a row, or, if undefined, row labels[f] of label_features for row f (int64).
  torch::Tensor features;
  torch::Tensor labels;
  torch::Tensor label_features;

  /// 2-wl-gnn: which rows meet; references are taken if the plan is null.
  tensors::Plan plan;
  tensors::ReferenceTensors references;
  /// 2-gnn, gin, gcn, sage.
  tensors::Neighborhood neighborhood;
  /// Which rows are pooled into which graph.
  tensors::RowGroups groups;
  /// A value a row: how many equal rows it stands for, in batch normalization; undefined: 1 each.
  torch::Tensor counts;

  /// 2-gnn, gin, gcn, sage on colors: the rows after 0, 1, … convolutions. Then of all the above only
  /// label_features are looked at.
  std::vector<ColorRows> colors;

  /// From which dropout follows.
  std::uint64_t seed = 0;
};

}  // namespace twofold::tensors
