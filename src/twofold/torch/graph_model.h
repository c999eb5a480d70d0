#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "twofold/model/model_options.h"
#include "twofold/model/parameter_layout.h"
#include "twofold/torch/graph_batch.h"

namespace twofold::tensors {

/// What a network gives for a batch.
struct Readout {
  /// A row of options.outputs values per graph. Binary: the logit of the second class.
  torch::Tensor outputs;
  /// A row per graph: what the heads read, readout by readout; without a head the pooled rows.
  torch::Tensor vectors;
  /// The rows of the last convolution, as pooled; undefined for mlp of summed features.
  torch::Tensor rows;
  /// The scores of the weighted mean, one column or one per channel; undefined otherwise.
  torch::Tensor scores;
};

/// Any of the networks, by its options (parameter_layout.h tells the parameters):
///   2-wl-gnn  PairConv layers (paper Def. 4.3)
///   2-gnn     act( Z W + neighbor sum of Z W_Gamma + b )                (Morris et al. 2019)
///   gin       two-layer MLPs of (1 + eps) x + neighbor sum, batch norm, sum of all layers' readouts, each a
///             linear map of the pooled nodes                             (Xu et al. 2019, Errica et al. 2020)
///   gcn       act( A' Z W + b ), A' = D^-1/2 (A + I) D^-1/2              (Kipf and Welling 2017)
///   sage      act( Z W + mean over neighbors of Z W' + b )               (Hamilton et al. 2017, mean form)
///   mlp       relu layer per node (or none), sum, relu layer, linear layer
/// with all forms of layers and readouts that the options have (compute/net_shape.h says what they mean).
/// Without a head, the last convolution of a binary model is logistic and its pooled value a probability, which
/// is clipped to [1e-7, 1 - 1e-7] and given as a logit; of other tasks it is linear.
///
/// It is made of stock tensor operations (gather_scatter.h) and written from the options alone, not from
/// compute/net_shape.h: the baseline of compute::Net, and what it is held against in tests.
///
/// All parameters are views of one flat tensor, their gradients of another: fill `flat`, zero `flat_gradient`,
/// call backward, read it. In training mode batch normalization goes by the batch and moves the running
/// statistics, which are in `flat` too; in evaluation mode it reads them.
class GraphModelImpl : public torch::nn::Module {
 public:
  /// Throws UsageError for options that do not fit. The parameters start from seed 1.
  GraphModelImpl(const model::ModelOptions& options, std::int64_t columns, torch::Dtype dtype = torch::kFloat,
                 torch::Device device = torch::kCPU);

  void reset();
  /// New starting values.
  void reset_parameters(std::uint64_t seed);
  void pretty_print(std::ostream& stream) const override;

  Readout forward(const GraphBatch& batch);

  /// The view of the parameter of that name; undefined if there is none.
  torch::Tensor parameter(const std::string& name) const;

  const model::ModelOptions options;
  const std::int64_t columns;
  const model::ParameterLayout layout;
  torch::Tensor flat;
  torch::Tensor flat_gradient;

 private:
  torch::Tensor linear(const torch::Tensor& x, const std::string& name) const;
  torch::Tensor normalized(const torch::Tensor& x, const std::string& name, model::Norm norm) const;
  torch::Tensor convolve(const std::string& name, int layer, const torch::Tensor& x,
                         const GraphBatch& batch) const;
  std::vector<torch::Tensor> stack(const std::string& prefix, const GraphBatch& batch) const;
  torch::Tensor pool(const torch::Tensor& rows, const GraphBatch& batch) const;
  void read_out(const torch::Tensor& vectors, const std::string& head, const GraphBatch& batch,
                Readout& to) const;
  Readout forward_stack(const GraphBatch& batch) const;
  Readout forward_gin(const GraphBatch& batch) const;
  Readout forward_mlp(const GraphBatch& batch) const;

  torch::Dtype dtype_;
  torch::Device device_;
  // Parallel to layout.parameters.
  std::vector<torch::Tensor> views_;
};
TORCH_MODULE(GraphModel);

}  // namespace twofold::tensors
