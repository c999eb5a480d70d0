#pragma once

#include <torch/types.h>

#include "twofold/torch/pair_conv_op.h"
#include "twofold/pairs/pair_batch.h"

namespace twofold::tensors {

/// The paper's reference matrix as index tensors (int64, 24 bytes a triple).
struct ReferenceTensors {
  torch::Tensor row;
  torch::Tensor a;
  torch::Tensor b;
  std::int64_t num_rows = 0;

  ReferenceTensors to(torch::Device device) const;
};
ReferenceTensors make_reference_tensors(const pairs::PairBatch& batch);

/// The same as tensors::pair_sum by the paper's Algorithm 1, lines 5-8: two gathers, the activation, one scatter,
/// each of them the size of the triples. Stock tensor operations only: any device, any order of derivatives.
/// The baseline.
torch::Tensor pair_sum_gather_scatter(const torch::Tensor& z, const torch::Tensor& bias,
                                      const ReferenceTensors& references, Activation activation);

/// The same as tensors::pair_conv by the whole of Algorithm 1.
torch::Tensor pair_conv_gather_scatter(const torch::Tensor& z, const ReferenceTensors& references,
                                       const PairConvArgs& args);

/// `activation` by torch's own operations.
torch::Tensor activate(const torch::Tensor& x, Activation activation);

}  // namespace twofold::tensors
