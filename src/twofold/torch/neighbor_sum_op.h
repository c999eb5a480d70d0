#pragma once

#include <torch/types.h>

#include <memory>
#include <vector>

#include "twofold/compute/neighbor_sum.h"
#include "twofold/pairs/pair_batch.h"

namespace twofold::tensors {

/// Who is whose neighbor in a batch: for our own loops (`plan`, or `edges` for the 2-GNN; what they refer to
/// must outlive the tensors and their gradients), or as index tensors for torch's own operations, on any
/// device.
struct Neighborhood {
  std::shared_ptr<const compute::NeighborPlan> plan;
  std::shared_ptr<const pairs::PairBatch> edges;
  // Used if both are null: one entry a (row, source), with a weight a entry or undefined for 1.
  torch::Tensor row;
  torch::Tensor source;
  torch::Tensor weight;
};

/// out[v,:] = own * x[v,:] + the weighted sum of x over the neighbors of v (compute/neighbor_sum.h), one
/// autograd node with first derivatives only; stock operations for index tensors. Needs x of float or double
/// with a row a source, on the CPU for our own loops: c10::Error names need and found. `threads` (0: all)
/// changes no bit.
torch::Tensor neighbor_sum(const torch::Tensor& x, const Neighborhood& neighborhood, double own = 0,
                           int threads = 1);

/// The index tensors of a plan's blocks, and of the 2-GNN's rows (sum of squared degrees entries).
Neighborhood stock_neighborhood(const compute::NeighborPlan& plan, torch::Dtype dtype, torch::Device device);
Neighborhood stock_neighborhood(const pairs::PairBatch& edges, torch::Device device);

}  // namespace twofold::tensors
