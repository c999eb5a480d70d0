#pragma once

#include <torch/types.h>

#include <memory>

#include "twofold/compute/segment_pool.h"

namespace twofold::tensors {

/// Which rows belong to which graph: for our own loops (`segments`), or, if that is null, as index tensors for
/// torch's own operations on any device: `graph` one a entry, `row` one a entry or undefined (entry = row).
struct RowGroups {
  std::shared_ptr<const compute::Segments> segments;
  torch::Tensor graph;
  torch::Tensor row;
  std::int64_t num_graphs = 0;
};

/// A row a graph: mean, sum, largest or smallest of its rows, column by column; 0 for a graph without rows. One
/// autograd node, first derivatives only. Needs x with segments->num_rows rows of float or double.
torch::Tensor segment_pool(const torch::Tensor& x, const RowGroups& groups, compute::SegmentReduction reduction,
                           int threads = 1);

/// The mean weighted by exp(scores), differentiable in both; scores have one column or as many as x.
torch::Tensor segment_weighted_mean(const torch::Tensor& x, const torch::Tensor& scores,
                                    const RowGroups& groups, int threads = 1);

/// As index tensors. Needs segments without counts.
RowGroups stock_groups(const compute::Segments& segments, torch::Device device);

}  // namespace twofold::tensors
