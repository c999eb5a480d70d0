#include "twofold/torch/weighted_norm_op.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/torch.h>

#include <algorithm>

#include "twofold/compute/weighted_norm.h"
#include "twofold/torch/tensor_checks.h"

namespace twofold::tensors {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

template <typename T>
compute::WeightedNormArgs<T> args_of(const Tensor& x, const Tensor& weights, const Tensor& scale,
                                     const Tensor& shift, const Tensor& out, const Tensor& moments,
                                     double epsilon) {
  compute::WeightedNormArgs<T> args;
  args.num_rows = static_cast<std::size_t>(x.size(0));
  args.d = static_cast<std::size_t>(x.size(1));
  args.epsilon = epsilon;
  args.x = x.data_ptr<T>();
  args.weights = weights.data_ptr<T>();
  args.scale = scale.data_ptr<T>();
  args.shift = shift.data_ptr<T>();
  args.out = out.data_ptr<T>();
  args.mean = moments.data_ptr<double>();
  args.variance = args.mean + args.d;
  return args;
}

// `moments` (means, then variances) is written.
struct WeightedNormNode : torch::autograd::Function<WeightedNormNode> {
  static Variable forward(AutogradContext* context, const Tensor& x_given, const Tensor& scale,
                          const Tensor& shift, const Tensor& weights, const Tensor& moments, double epsilon) {
    const Tensor x = x_given.contiguous();
    const Tensor out = torch::empty_like(x);
    with_type(x, [&](auto zero) {
      compute::weighted_norm(args_of<decltype(zero)>(x, weights, scale, shift, out, moments, epsilon));
    });
    context->save_for_backward({x, scale, shift, weights, moments, out});
    context->saved_data["epsilon"] = epsilon;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    TORCH_CHECK(!torch::GradMode::is_enabled(),
                "weighted_norm_relu: second derivatives are not available (create_graph)");
    const variable_list saved = context->get_saved_variables();
    const Tensor dout = gradients[0].contiguous();
    const Tensor dx = torch::empty_like(saved[0]);
    const Tensor dscale = torch::empty_like(saved[1]);
    const Tensor dshift = torch::empty_like(saved[2]);
    with_type(dout, [&](auto zero) {
      using T = decltype(zero);
      auto args = args_of<T>(saved[0], saved[3], saved[1], saved[2], saved[5], saved[4],
                             context->saved_data["epsilon"].toDouble());
      args.dout = dout.data_ptr<T>();
      args.dx = dx.data_ptr<T>();
      args.dscale = dscale.data_ptr<T>();
      args.dshift = dshift.data_ptr<T>();
      compute::weighted_norm_backward(args);
    });
    return {dx, dscale, dshift, Tensor(), Tensor(), Tensor()};
  }
};

// Plain loops: a dozen tensor operations on so few values would cost more than the normalization.
template <typename T>
void move_on(const RunningMoments& running, const Tensor& moments, const Tensor& weights) {
  double total = 0;
  for (std::int64_t row = 0; row < weights.numel(); ++row)
    total += static_cast<double>(weights.data_ptr<T>()[row]);
  const double* const mean = moments.data_ptr<double>();
  const double* const variance = mean + moments.size(1);
  const double correction = total / std::max(total - 1, 1.0);
  const auto move = [&](T& value, double found) {
    value = static_cast<T>((1 - running.momentum) * static_cast<double>(value) + running.momentum * found);
  };
  for (std::int64_t c = 0; c < moments.size(1); ++c) {
    move(running.mean.data_ptr<T>()[c], mean[c]);
    move(running.variance.data_ptr<T>()[c], variance[c] * correction);
  }
}

}  // namespace

Tensor weighted_norm_relu(const Tensor& x, const Tensor& weights, const Tensor& scale, const Tensor& shift,
                          double epsilon, const RunningMoments& running) {
  TORCH_CHECK(x.dim() == 2 && x.device().is_cpu() &&
                  (x.scalar_type() == torch::kFloat || x.scalar_type() == torch::kDouble),
              "weighted_norm_relu: x must be a matrix of float or double on the CPU");
  for (const Tensor& other : {weights, scale, shift, running.mean, running.variance})
    TORCH_CHECK(other.scalar_type() == x.scalar_type() && other.is_contiguous(),
                "weighted_norm_relu: all tensors must be of x's type and contiguous");
  TORCH_CHECK(weights.numel() == x.size(0), "weighted_norm_relu: needed a weight a row");
  for (const Tensor& other : {scale, shift, running.mean, running.variance})
    TORCH_CHECK(other.numel() == x.size(1), "weighted_norm_relu: needed scale, shift and moments a column");
  const Tensor moments = torch::empty({2, x.size(1)}, torch::kDouble);
  const Tensor out = WeightedNormNode::apply(x, scale, shift, weights, moments, epsilon);
  with_type(x, [&](auto zero) { move_on<decltype(zero)>(running, moments, weights); });
  return out;
}

}  // namespace twofold::tensors
