#pragma once

#include <torch/types.h>

namespace twofold::tensors {

/// Mean and variance (the unbiased one) of each column over batches so far: each batch moves them by the share
/// `momentum` to its own. Tensors of x's type, contiguous.
struct RunningMoments {
  torch::Tensor mean;
  torch::Tensor variance;
  double momentum = 0.1;
};

/// relu(scale * normalized x + shift) of rows that count `weights` (one a row) times each, by the batch's mean
/// and variance: compute/weighted_norm.h as one autograd node, first derivatives only. Moves `running` on.
/// Needs tensors of x's type, float or double, on the CPU: c10::Error names need.
torch::Tensor weighted_norm_relu(const torch::Tensor& x, const torch::Tensor& weights,
                                 const torch::Tensor& scale, const torch::Tensor& shift, double epsilon,
                                 const RunningMoments& running);

}  // namespace twofold::tensors
