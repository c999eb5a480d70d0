#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "twofold/torch/gather_scatter.h"
#include "twofold/torch/pair_conv_op.h"

namespace twofold::tensors {

/// Options for the `PairConv` module.
struct PairConvOptions {
  PairConvOptions(std::int64_t in_features, std::int64_t out_features)
      : in_features_(in_features), out_features_(out_features) {}
  /// Columns of the input and of the output. Needs both from 1 on.
  TORCH_ARG(std::int64_t, in_features);
  TORCH_ARG(std::int64_t, out_features);
  /// Whether there are the biases b and b_Gamma.
  TORCH_ARG(bool, bias) = true;
  /// The outer and the inner activation.
  TORCH_ARG(compute::Activation, activation) = compute::Activation::kLogistic;
  TORCH_ARG(compute::Activation, inner_activation) = compute::Activation::kLogistic;
  /// For the fused engine; 0: all there are. Changes no bit.
  TORCH_ARG(int, threads) = 1;
};

/// The 2-WL convolution (paper Def. 4.3) as a layer:
///   Z' = act( Z W_L + b + (Z W_F) * sum over triples of inner_act( z_il W_Gamma + z_lj W_Gamma + b_Gamma ) ).
///
/// Matrices start Glorot-uniform, biases at zero. Which rows meet comes with each call: a plan for the fused
/// loop, or reference tensors for the paper's gather and scatter; both give the same up to rounding.
class PairConvImpl : public torch::nn::Cloneable<PairConvImpl> {
 public:
  PairConvImpl(std::int64_t in_features, std::int64_t out_features)
      : PairConvImpl(PairConvOptions(in_features, out_features)) {}
  explicit PairConvImpl(const PairConvOptions& options);

  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;

  torch::Tensor forward(const torch::Tensor& z, const Plan& plan);
  torch::Tensor forward(const torch::Tensor& z, const ReferenceTensors& references);

  PairConvOptions options;
  /// in_features rows of W_L | W_F | W_Gamma.
  torch::Tensor weight;
  /// Undefined without biases.
  torch::Tensor bias;
  torch::Tensor inner_bias;

 private:
  PairConvArgs args() const;
};
TORCH_MODULE(PairConv);

/// Options for the `PairConvStack` module.
struct PairConvStackOptions {
  PairConvStackOptions(std::int64_t in_features, std::vector<std::int64_t> widths)
      : in_features_(in_features), widths_(std::move(widths)) {}
  TORCH_ARG(std::int64_t, in_features);
  /// Output columns, one per layer.
  TORCH_ARG(std::vector<std::int64_t>, widths);
  /// Jumping knowledge: the input of the stack is joined to the input of every layer but the first.
  TORCH_ARG(bool, jumping_knowledge) = false;
  /// As for PairConv.
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(compute::Activation, activation) = compute::Activation::kLogistic;
  TORCH_ARG(compute::Activation, inner_activation) = compute::Activation::kLogistic;
  TORCH_ARG(int, threads) = 1;
};

/// Layers one after the other on the same rows. A stack of no layers gives back its input.
class PairConvStackImpl : public torch::nn::Cloneable<PairConvStackImpl> {
 public:
  explicit PairConvStackImpl(const PairConvStackOptions& options);

  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  torch::Tensor forward(const torch::Tensor& z, const Plan& plan);
  torch::Tensor forward(const torch::Tensor& z, const ReferenceTensors& references);

  PairConvStackOptions options;
  torch::nn::ModuleList layers;
};
TORCH_MODULE(PairConvStack);

}  // namespace twofold::tensors
