#include "twofold/torch/pair_conv.h"

#include <torch/torch.h>

#include <ostream>

namespace twofold::tensors {
namespace {

template <typename Meeting>
torch::Tensor forward_stack(PairConvStackImpl& stack, const torch::Tensor& z, const Meeting& meeting) {
  torch::Tensor x = z;
  for (std::size_t layer = 0; layer < stack.layers->size(); ++layer) {
    if (layer > 0 && stack.options.jumping_knowledge()) x = torch::cat({x, z}, 1);
    x = stack.layers[layer]->as<PairConvImpl>()->forward(x, meeting);
  }
  return x;
}

}  // namespace

PairConvImpl::PairConvImpl(const PairConvOptions& given) : options(given) { reset(); }

void PairConvImpl::reset() {
  TORCH_CHECK(options.in_features() > 0 && options.out_features() > 0,
              "PairConv: in_features and out_features must be positive, found ", options.in_features(), " and ",
              options.out_features());
  weight = register_parameter("weight", torch::empty({options.in_features(), 3 * options.out_features()}));
  if (options.bias()) {
    bias = register_parameter("bias", torch::empty(options.out_features()));
    inner_bias = register_parameter("inner_bias", torch::empty(options.out_features()));
  }
  reset_parameters();
}

void PairConvImpl::reset_parameters() {
  const torch::NoGradGuard guard;
  // Each of the three matrices by its own fan-in and fan-out.
  for (const torch::Tensor& part : weight.chunk(3, 1)) torch::nn::init::xavier_uniform_(part);
  if (bias.defined()) bias.zero_();
  if (inner_bias.defined()) inner_bias.zero_();
}

void PairConvImpl::pretty_print(std::ostream& stream) const {
  stream << "twofold::tensors::PairConv(in_features=" << options.in_features()
         << ", out_features=" << options.out_features() << ", bias=" << std::boolalpha << options.bias()
         << ", activation=" << compute::to_string(options.activation())
         << ", inner_activation=" << compute::to_string(options.inner_activation()) << ")";
}

PairConvArgs PairConvImpl::args() const {
  return {weight, bias, inner_bias, options.activation(), options.inner_activation(), options.threads()};
}

torch::Tensor PairConvImpl::forward(const torch::Tensor& z, const Plan& plan) {
  return pair_conv(z, plan, args());
}

torch::Tensor PairConvImpl::forward(const torch::Tensor& z, const ReferenceTensors& references) {
  return pair_conv_gather_scatter(z, references, args());
}

PairConvStackImpl::PairConvStackImpl(const PairConvStackOptions& given) : options(given) { reset(); }

void PairConvStackImpl::reset() {
  layers = register_module("layers", torch::nn::ModuleList());
  std::int64_t in = options.in_features();
  for (const std::int64_t out : options.widths()) {
    layers->push_back(PairConv(PairConvOptions(in, out)
                                   .bias(options.bias())
                                   .activation(options.activation())
                                   .inner_activation(options.inner_activation())
                                   .threads(options.threads())));
    in = out + (options.jumping_knowledge() ? options.in_features() : 0);
  }
}

void PairConvStackImpl::pretty_print(std::ostream& stream) const {
  stream << "twofold::tensors::PairConvStack(layers=" << layers->size()
         << ", jumping_knowledge=" << std::boolalpha << options.jumping_knowledge() << ")";
}

torch::Tensor PairConvStackImpl::forward(const torch::Tensor& z, const Plan& plan) {
  return forward_stack(*this, z, plan);
}

torch::Tensor PairConvStackImpl::forward(const torch::Tensor& z, const ReferenceTensors& references) {
  return forward_stack(*this, z, references);
}

}  // namespace twofold::tensors
