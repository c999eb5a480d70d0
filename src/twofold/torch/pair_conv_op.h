#pragma once

#include <torch/types.h>

#include <memory>

#include "twofold/compute/activation.h"
#include "twofold/compute/pair_plan.h"

namespace twofold::tensors {

using compute::Activation;

/// A plan that the tensors of a pass share with their gradients; the sets it refers to must outlive both.
using Plan = std::shared_ptr<const compute::PairPlan>;

/// sums[f,:] = sum over the triples (a, b) of row f of act(z[a,:] + z[b,:] + bias), differentiable once in z
/// and bias. (paper, Algorithm 1, lines 5-8). One autograd node that holds memory for rows, never for triples.
///
/// Needs z of plan->num_sources rows and bias of as many columns (or undefined), both float or both double, on
/// the CPU: c10::Error names need and found otherwise, if some z is infinite or no number, and for gelu and
/// silu, which are not for triples. `threads` (0: all there are) changes no bit.
torch::Tensor pair_sum(const torch::Tensor& z, const torch::Tensor& bias, const Plan& plan,
                       Activation activation, int threads = 1);

struct PairConvArgs {
  /// d_in rows of 3 d_out columns: W_L | W_F | W_Gamma.
  torch::Tensor weight;
  /// d_out values each, or undefined: b inside the outer activation, b_Gamma inside the inner one.
  torch::Tensor bias;
  torch::Tensor inner_bias;
  Activation activation = Activation::kLogistic;
  Activation inner_activation = Activation::kLogistic;
  /// 0: all there are. Changes no bit.
  int threads = 1;
};

/// The 2-WL convolution (paper Def. 4.3): act( z W_L + b + (z W_F) * pair_sum(z W_Gamma, b_Gamma) ), as one
/// autograd node and one matrix product (outer gelu and silu: one more). Needs and errors as pair_sum.
torch::Tensor pair_conv(const torch::Tensor& z, const Plan& plan, const PairConvArgs& args);

}  // namespace twofold::tensors
