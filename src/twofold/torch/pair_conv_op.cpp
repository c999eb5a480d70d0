#include "twofold/torch/pair_conv_op.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/torch.h>

#include "twofold/compute/pair_combine.h"
#include "twofold/compute/pair_sum.h"
#include "twofold/torch/gather_scatter.h"
#include "twofold/torch/row_buffers.h"
#include "twofold/torch/tensor_checks.h"

namespace twofold::tensors {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

// What a node keeps beside tensors. torch takes any intrusive pointer as a saved value.
struct SavedPlan : torch::CustomClassHolder {
  SavedPlan(Plan shared, std::vector<std::uint8_t> exact)
      : plan(std::move(shared)), is_exact(std::move(exact)) {}
  Plan plan;
  std::vector<std::uint8_t> is_exact;
};

void check_inner(const char* op, Activation activation) {
  TORCH_CHECK(!compute::slope_needs_input(activation), op, ": ", compute::to_string(activation),
              " is not for triples; needed identity, relu, logistic or tanh");
}

// Autograd would record our backward as if it were made of its own operations and give wrong second
// derivatives.
void check_first_order(const char* op) {
  TORCH_CHECK(!torch::GradMode::is_enabled(), op, ": second derivatives are not available (create_graph)");
}

template <typename T>
T* data(const Tensor& x) {
  return x.defined() ? x.data_ptr<T>() : nullptr;
}

// Autograd's nodes take no undefined input; a tensor without values stands for it.
Tensor or_none(const Tensor& x, const Tensor& like) {
  return x.defined() ? x.contiguous() : torch::empty({0}, like.options());
}
Tensor unless_none(const Tensor& x) { return x.numel() == 0 ? Tensor() : x; }

// The pair sum of one column block of `z`; `prepared` and `is_exact` are what backward needs.
template <typename T>
compute::PairSumArgs<T> sum_args(const compute::PairPlan& plan, Activation activation, std::size_t d,
                                 int threads, const Tensor& prepared,
                                 const std::vector<std::uint8_t>& is_exact) {
  compute::PairSumArgs<T> args;
  args.plan = &plan;
  args.activation = activation;
  args.d = d;
  args.threads = threads;
  args.prepared = data<T>(prepared);
  args.is_exact = const_cast<std::uint8_t*>(is_exact.data());
  return args;
}

std::size_t padded(const Tensor& z, std::size_t d) {
  return with_type(z, [&](auto zero) { return compute::padded_width<decltype(zero)>(d); });
}

// ---- the sum alone

struct PairSumNode : torch::autograd::Function<PairSumNode> {
  static Variable forward(AutogradContext* context, const Tensor& z_given, const Tensor& bias_or_none,
                          const Plan& plan, Activation activation, int threads) {
    const Tensor z = z_given.contiguous();
    const Tensor bias = unless_none(bias_or_none);
    const auto d = static_cast<std::size_t>(z.size(1));
    Tensor kept = z;  // what backward reads: z itself, or what was prepared of it
    Tensor sums = empty_rows(plan->num_rows, d, z);
    std::vector<std::uint8_t> is_exact(plan->blocks.size());
    bool keeps_z = true;
    const bool is_finite = with_type(z, [&](auto zero) {
      using T = decltype(zero);
      auto args = sum_args<T>(*plan, activation, d, threads, Tensor(), is_exact);
      args.z = data<T>(z);
      args.bias = data<T>(bias);
      args.z_stride = args.sums_stride = d;
      args.sums = data<T>(sums);
      keeps_z = compute::reads_z_itself(args);
      if (!keeps_z) {
        kept = empty_rows(plan->num_sources, padded(z, d), z);
        args.prepared = data<T>(kept);
      }
      return compute::pair_sum_fused(args);
    });
    if (!is_finite) throw_not_finite("pair_sum", "features", z, "the bias and every sum must be finite");
    context->save_for_backward({kept});
    context->saved_data["keeps_z"] = keeps_z;
    context->saved_data["plan"] =
        c10::IValue::make_capsule(c10::make_intrusive<SavedPlan>(plan, std::move(is_exact)));
    context->saved_data["activation"] = static_cast<std::int64_t>(activation);
    context->saved_data["threads"] = static_cast<std::int64_t>(threads);
    context->saved_data["d"] = static_cast<std::int64_t>(d);
    context->saved_data["has_bias"] = bias.defined();
    return sums;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    check_first_order("pair_sum");
    const Tensor kept = context->get_saved_variables()[0];
    const auto saved = c10::static_intrusive_pointer_cast<SavedPlan>(context->saved_data["plan"].toCapsule());
    const auto d = static_cast<std::size_t>(context->saved_data["d"].toInt());
    const Tensor g = gradients[0].contiguous();
    // Read as it is if its rows fill cache lines; a view may begin anywhere.
    const bool is_padded = padded(g, d) == d && reinterpret_cast<std::uintptr_t>(g.data_ptr()) % 64 == 0;
    const Tensor g_prepared = is_padded ? Tensor() : empty_rows(saved->plan->num_rows, padded(g, d), g);
    const Tensor dz = empty_rows(saved->plan->num_sources, d, g);
    with_type(g, [&](auto zero) {
      using T = decltype(zero);
      auto args =
          sum_args<T>(*saved->plan, static_cast<Activation>(context->saved_data["activation"].toInt()), d,
                      static_cast<int>(context->saved_data["threads"].toInt()), kept, saved->is_exact);
      if (context->saved_data["keeps_z"].toBool()) {
        args.z = data<T>(kept);
        args.z_stride = d;
      }
      args.g = data<T>(g);
      args.g_prepared = data<T>(g_prepared);
      args.dz = data<T>(dz);
      args.g_stride = args.dz_stride = d;
      compute::pair_sum_backward_fused(args);
      return 0;
    });
    const Tensor dbias = context->saved_data["has_bias"].toBool() ? dz.sum(0).mul_(0.5) : Tensor();
    return {dz, dbias, Tensor(), Tensor(), Tensor()};
  }
};

// ---- the whole convolution

struct PairConvNode : torch::autograd::Function<PairConvNode> {
  static Variable forward(AutogradContext* context, const Tensor& z_given, const Tensor& weight_given,
                          const Tensor& bias_or_none, const Tensor& inner_bias_or_none, const Plan& plan,
                          const PairConvArgs& options) {
    const Tensor z = z_given.contiguous();
    const Tensor weight = weight_given.contiguous();
    const Tensor bias = unless_none(bias_or_none);
    const Tensor inner_bias = unless_none(inner_bias_or_none);
    const auto d = static_cast<std::size_t>(weight.size(1) / 3);
    const Tensor products = torch::mm(z, weight);
    const std::size_t width = padded(z, d);
    const Tensor prepared = empty_rows(plan->num_sources, width, z);
    const Tensor sums = empty_rows(plan->num_rows, width, z);
    Tensor y = empty_rows(plan->num_rows, d, z);
    std::vector<std::uint8_t> is_exact(plan->blocks.size());
    with_type(z, [&](auto zero) {
      using T = decltype(zero);
      auto args = sum_args<T>(*plan, options.inner_activation, d, options.threads, prepared, is_exact);
      args.z = data<T>(products) + 2 * d;
      args.z_stride = 3 * d;
      args.bias = data<T>(inner_bias);
      args.sums = data<T>(sums);
      args.sums_stride = width;
      if (!compute::pair_sum_fused(args)) {
        if (!torch::isfinite(z).all().template item<bool>()) throw_not_finite("pair_conv", "features", z, "");
        throw_not_finite("pair_conv", "features times W_Gamma",
                         products.slice(1, 2 * static_cast<std::int64_t>(d)),
                         "the inner bias and every sum must be finite");
      }
      compute::PairCombineArgs<T> combine;
      combine.plan = plan.get();
      combine.activation = options.activation;
      combine.d = d;
      combine.products = data<T>(products);
      combine.bias = data<T>(bias);
      combine.sums = data<T>(sums);
      combine.sums_stride = width;
      combine.y = data<T>(y);
      combine.threads = options.threads;
      if (!compute::pair_combine(combine))
        throw_not_finite("pair_conv", "the argument of the outer activation", y,
                         "the argument of the outer activation must be finite");
      return 0;
    });
    context->save_for_backward({z, weight, products, prepared, sums, y});
    context->saved_data["plan"] =
        c10::IValue::make_capsule(c10::make_intrusive<SavedPlan>(plan, std::move(is_exact)));
    context->saved_data["activation"] = static_cast<std::int64_t>(options.activation);
    context->saved_data["inner_activation"] = static_cast<std::int64_t>(options.inner_activation);
    context->saved_data["threads"] = static_cast<std::int64_t>(options.threads);
    context->saved_data["has_bias"] = bias.defined();
    context->saved_data["has_inner_bias"] = inner_bias.defined();
    context->saved_data["needs_z"] = z_given.requires_grad();
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    check_first_order("pair_conv");
    const variable_list saved = context->get_saved_variables();
    const Tensor &z = saved[0], &weight = saved[1], &products = saved[2], &prepared = saved[3],
                 &sums = saved[4], &y = saved[5];
    const auto kept = c10::static_intrusive_pointer_cast<SavedPlan>(context->saved_data["plan"].toCapsule());
    const int threads = static_cast<int>(context->saved_data["threads"].toInt());
    const auto d = static_cast<std::size_t>(y.size(1));
    const std::size_t width = padded(z, d);
    const Tensor dy = gradients[0].contiguous();
    const Tensor dproducts = torch::empty_like(products);
    // Padding is read by whole vectors, so it must not hold what happens to lie in memory.
    const Tensor dsums = width == d ? empty_rows(kept->plan->num_rows, width, z)
                                    : torch::zeros({y.size(0), static_cast<std::int64_t>(width)}, z.options());
    Tensor dbias = context->saved_data["has_bias"].toBool() ? torch::empty({y.size(1)}, y.options()) : Tensor();
    with_type(z, [&](auto zero) {
      using T = decltype(zero);
      compute::PairCombineArgs<T> combine;
      combine.plan = kept->plan.get();
      combine.activation = static_cast<Activation>(context->saved_data["activation"].toInt());
      combine.d = d;
      combine.products = data<T>(products);
      combine.sums = data<T>(sums);
      combine.sums_stride = combine.dsums_stride = width;
      combine.y = data<T>(y);
      combine.dy = data<T>(dy);
      combine.dproducts = data<T>(dproducts);
      combine.dsums = data<T>(dsums);
      combine.dbias = data<T>(dbias);
      combine.threads = threads;
      compute::pair_combine_backward(combine);
      auto args =
          sum_args<T>(*kept->plan, static_cast<Activation>(context->saved_data["inner_activation"].toInt()), d,
                      threads, prepared, kept->is_exact);
      args.g = data<T>(dsums);
      args.g_stride = width;
      args.dz = data<T>(dproducts) + 2 * d;
      args.dz_stride = 3 * d;
      compute::pair_sum_backward_fused(args);
      return 0;
    });
    const Tensor dinner = context->saved_data["has_inner_bias"].toBool()
                              ? dproducts.slice(1, 2 * static_cast<std::int64_t>(d)).sum(0).mul_(0.5)
                              : Tensor();
    const Tensor dz = context->saved_data["needs_z"].toBool() ? torch::mm(dproducts, weight.t()) : Tensor();
    return {dz, torch::mm(z.t(), dproducts), dbias, dinner, Tensor(), Tensor()};
  }
};

}  // namespace

Tensor pair_sum(const Tensor& z, const Tensor& bias, const Plan& plan, Activation activation, int threads) {
  TORCH_CHECK(plan != nullptr, "pair_sum: the plan is missing");
  check_rows("pair_sum", z, plan->num_sources);
  check_vector("pair_sum", "bias", bias, z.size(1), z);
  check_inner("pair_sum", activation);
  return PairSumNode::apply(z, or_none(bias, z), plan, activation, threads);
}

namespace {

void check_conv(const Tensor& z, const PairConvArgs& args) {
  TORCH_CHECK(args.weight.defined() && args.weight.dim() == 2 && args.weight.size(1) % 3 == 0,
              "pair_conv: weight must be d_in x 3 d_out");
  check_matrix("pair_conv", "weight", args.weight, z.size(1), args.weight.size(1), z);
  check_vector("pair_conv", "bias", args.bias, args.weight.size(1) / 3, z);
  check_vector("pair_conv", "inner bias", args.inner_bias, args.weight.size(1) / 3, z);
}

}  // namespace

Tensor pair_conv(const Tensor& z, const Plan& plan, const PairConvArgs& args) {
  TORCH_CHECK(plan != nullptr, "pair_conv: the plan is missing");
  check_rows("pair_conv", z, plan->num_sources);
  check_conv(z, args);
  check_inner("pair_conv", args.inner_activation);
  // Our loop keeps what the activation gave, and the slope of these does not follow from it.
  if (compute::slope_needs_input(args.activation)) {
    PairConvArgs linear = args;
    linear.activation = Activation::kIdentity;
    return activate(pair_conv(z, plan, linear), args.activation);
  }
  return PairConvNode::apply(z, args.weight, or_none(args.bias, z), or_none(args.inner_bias, z), plan, args);
}

}  // namespace twofold::tensors
