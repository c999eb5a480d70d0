#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "twofold/compute/pooling.h"
#include "twofold/pairs/pair_batch.h"
#include "twofold/torch/pair_conv_op.h"

namespace twofold::tensors {

// Sums over triples, neighbors and graphs by stock tensor operations alone: any device, any order of
// derivatives. The baseline of our own loops, and what they are held against in tests.

/// int64, on the CPU.
torch::Tensor index_tensor(const std::vector<std::int64_t>& values);

/// The paper's reference matrix as index tensors (int64, 24 bytes per triple).
struct ReferenceTensors {
  torch::Tensor row;
  torch::Tensor a;
  torch::Tensor b;
  std::int64_t num_rows = 0;

  ReferenceTensors to(torch::Device device) const;
};
ReferenceTensors make_reference_tensors(const pairs::PairBatch& batch);

/// The same as tensors::pair_sum by the paper's Algorithm 1, lines 5-8: two gathers, the activation, one
/// scatter, each of them the size of the triples.
torch::Tensor pair_sum_gather_scatter(const torch::Tensor& z, const torch::Tensor& bias,
                                      const ReferenceTensors& references, Activation activation);

/// The same as tensors::pair_conv by the whole of Algorithm 1.
torch::Tensor pair_conv_gather_scatter(const torch::Tensor& z, const ReferenceTensors& references,
                                       const PairConvArgs& args);

/// Who is whose neighbor, one entry per (row, source), with a weight per entry or undefined for 1.
struct Neighborhood {
  torch::Tensor row;
  torch::Tensor source;
  torch::Tensor weight;
};

/// out[v,:] = the weighted sum of x over the neighbors of v.
torch::Tensor neighbor_sum(const torch::Tensor& x, const Neighborhood& neighborhood);

/// Which rows are pooled into which graph, one entry each; `row` undefined: entry = row. With several kinds of
/// rows that are pooled each for itself, `graph` counts them: graph * num_kinds + kind.
struct RowGroups {
  torch::Tensor graph;
  torch::Tensor row;
  std::int64_t num_graphs = 0;
  std::int64_t num_kinds = 1;
};

/// A row per graph, kind by kind: mean, sum, largest or smallest of its rows, column by column; 0 without rows.
/// Rows that tie for the largest or smallest share its gradient equally. Not the weighted mean.
torch::Tensor graph_pool(const torch::Tensor& x, const RowGroups& groups, compute::Pooling pooling);

/// The mean weighted by exp(scores), differentiable in both; scores have one column or as many as x.
torch::Tensor graph_weighted_mean(const torch::Tensor& x, const torch::Tensor& scores, const RowGroups& groups);

/// `activation` by torch's own operations.
torch::Tensor activate(const torch::Tensor& x, Activation activation);

}  // namespace twofold::tensors
