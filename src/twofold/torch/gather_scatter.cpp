#include "twofold/torch/gather_scatter.h"

#include <torch/torch.h>

#include "twofold/torch/tensor_checks.h"

namespace twofold::tensors {
namespace {

using torch::Tensor;

Tensor index_tensor(const std::vector<std::int64_t>& values) {
  return torch::tensor(values, torch::TensorOptions().dtype(torch::kLong));
}

}  // namespace

ReferenceTensors ReferenceTensors::to(torch::Device device) const {
  return {row.to(device), a.to(device), b.to(device), num_rows};
}

ReferenceTensors make_reference_tensors(const pairs::PairBatch& batch) {
  const pairs::References references = pairs::make_references(batch);
  return {index_tensor(references.row), index_tensor(references.a), index_tensor(references.b),
          static_cast<std::int64_t>(batch.num_rows())};
}

Tensor activate(const Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::kIdentity:
      return x;
    case Activation::kRelu:
      return torch::relu(x);
    case Activation::kLogistic:
      return torch::sigmoid(x);
    case Activation::kTanh:
      return torch::tanh(x);
  }
  return x;
}

Tensor pair_sum_gather_scatter(const Tensor& z, const Tensor& bias, const ReferenceTensors& references,
                               Activation activation) {
  TORCH_CHECK(z.dim() == 2 && z.size(0) == references.num_rows, "pair_sum: features have ", z.size(0),
              " rows, the pair set has ", references.num_rows, " pairs");
  Tensor x = z.index_select(0, references.a) + z.index_select(0, references.b);
  if (bias.defined()) x = x + bias;
  return torch::zeros({references.num_rows, z.size(1)}, z.options())
      .index_add(0, references.row, activate(x, activation));
}

Tensor pair_conv_gather_scatter(const Tensor& z, const ReferenceTensors& references, const PairConvArgs& args) {
  const std::vector<Tensor> products = torch::mm(z, args.weight).chunk(3, 1);
  Tensor x = products[0] + products[1] * pair_sum_gather_scatter(products[2], args.inner_bias, references,
                                                                 args.inner_activation);
  if (args.bias.defined()) x = x + args.bias;
  return activate(x, args.activation);
}

}  // namespace twofold::tensors
