#include "twofold/torch/neighbor_sum_op.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/torch.h>

#include "twofold/torch/row_buffers.h"
#include "twofold/torch/tensor_checks.h"

namespace twofold::tensors {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

struct SavedNeighborhood : torch::CustomClassHolder {
  explicit SavedNeighborhood(Neighborhood given) : neighborhood(std::move(given)) {}
  Neighborhood neighborhood;
};

// Columns may be cut out of wider rows, but must lie side by side.
Tensor with_dense_rows(const Tensor& x) { return x.stride(1) == 1 || x.size(1) == 1 ? x : x.contiguous(); }

template <typename T>
void run(const Tensor& x, const Tensor& out, const Neighborhood& n, bool is_reverse, double own, int threads) {
  const auto fill = [&](auto& args) {
    args.d = static_cast<std::size_t>(x.size(1));
    args.x = x.data_ptr<T>();
    args.x_stride = static_cast<std::size_t>(x.stride(0));
    args.out = out.data_ptr<T>();
    args.out_stride = args.d;
    args.threads = threads;
  };
  if (n.edges != nullptr) {
    compute::EdgeSumArgs<T> args;
    args.sets = &n.edges->sets;
    args.row_offsets = &n.edges->row_offsets;
    fill(args);
    compute::edge_sum(args);
  } else {
    compute::NeighborSumArgs<T> args;
    args.blocks = is_reverse ? &n.plan->reverse : &n.plan->blocks;
    args.own = own;
    fill(args);
    compute::neighbor_sum(args);
  }
}

Tensor run(const Tensor& x_given, const Neighborhood& n, bool is_reverse, double own, int threads) {
  const Tensor x = with_dense_rows(x_given);
  const std::uint64_t rows = n.edges != nullptr ? n.edges->num_rows()
                             : is_reverse       ? n.plan->num_sources
                                                : n.plan->num_rows;
  Tensor out = empty_rows(rows, static_cast<std::uint64_t>(x.size(1)), x);
  if (x.scalar_type() == torch::kFloat)
    run<float>(x, out, n, is_reverse, own, threads);
  else
    run<double>(x, out, n, is_reverse, own, threads);
  return out;
}

struct NeighborSumNode : torch::autograd::Function<NeighborSumNode> {
  static Variable forward(AutogradContext* context, const Tensor& x, const Neighborhood& neighborhood,
                          double own, int threads) {
    context->saved_data["neighborhood"] =
        c10::IValue::make_capsule(c10::make_intrusive<SavedNeighborhood>(neighborhood));
    context->saved_data["own"] = own;
    context->saved_data["threads"] = static_cast<std::int64_t>(threads);
    return run(x, neighborhood, false, own, threads);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    TORCH_CHECK(!torch::GradMode::is_enabled(),
                "neighbor_sum: second derivatives are not available (create_graph)");
    const auto saved =
        c10::static_intrusive_pointer_cast<SavedNeighborhood>(context->saved_data["neighborhood"].toCapsule());
    return {run(gradients[0], saved->neighborhood, true, context->saved_data["own"].toDouble(),
                static_cast<int>(context->saved_data["threads"].toInt())),
            Tensor(), Tensor(), Tensor()};
  }
};

Tensor index_tensor(const std::vector<std::int64_t>& values, torch::Device device) {
  return torch::tensor(values, torch::TensorOptions().dtype(torch::kLong)).to(device);
}

}  // namespace

Tensor neighbor_sum(const Tensor& x, const Neighborhood& n, double own, int threads) {
  if (n.plan == nullptr && n.edges == nullptr) {
    TORCH_CHECK(n.row.defined() && n.source.defined(), "neighbor_sum: the neighborhood is missing");
    Tensor values = x.index_select(0, n.source);
    if (n.weight.defined()) values = values * n.weight.unsqueeze(1);
    const Tensor start = own == 0 ? torch::zeros_like(x) : x * own;
    return start.index_add(0, n.row, values);
  }
  check_rows("neighbor_sum", x, n.edges != nullptr ? n.edges->num_rows() : n.plan->num_sources);
  TORCH_CHECK(own == 0 || n.edges != nullptr || n.plan->num_rows == n.plan->num_sources,
              "neighbor_sum: a row counts itself only if rows and sources are the same");
  TORCH_CHECK(own == 0 || n.edges == nullptr, "neighbor_sum: the rows of the 2-GNN do not count themselves");
  return NeighborSumNode::apply(x, n, own, threads);
}

Neighborhood stock_neighborhood(const compute::NeighborPlan& plan, torch::Dtype dtype, torch::Device device) {
  std::vector<std::int64_t> row, source;
  std::vector<double> weight;
  bool has_weights = false;
  for (const compute::NeighborBlock& block : plan.blocks) {
    has_weights =
        has_weights || block.counts != nullptr || block.row_scale != nullptr || block.source_scale != nullptr;
    for (std::size_t v = 0; v < block.num_rows; ++v)
      for (std::uint64_t k = block.offsets[v]; k < block.offsets[v + 1]; ++k) {
        const std::size_t s = block.sources[k];
        row.push_back(static_cast<std::int64_t>(block.first_row + v));
        source.push_back(static_cast<std::int64_t>(block.first_source + s));
        weight.push_back((block.counts == nullptr ? 1 : block.counts[k]) *
                         (block.row_scale == nullptr ? 1 : block.row_scale[v]) *
                         (block.source_scale == nullptr ? 1 : block.source_scale[s]));
      }
  }
  Neighborhood n;
  n.row = index_tensor(row, device);
  n.source = index_tensor(source, device);
  if (has_weights) n.weight = torch::tensor(weight, torch::TensorOptions().dtype(dtype)).to(device);
  return n;
}

Neighborhood stock_neighborhood(const pairs::PairBatch& edges, torch::Device device) {
  std::vector<std::int64_t> rows, sources;
  for (std::size_t g = 0; g < edges.num_graphs(); ++g) {
    const pairs::PairSet& set = *edges.sets[g];
    const auto first = static_cast<std::int64_t>(edges.row_offsets[g]);
    for (std::size_t row = 0; row < set.num_rows(); ++row) {
      const auto add_ball = [&](Node v) {
        for (std::uint64_t k = set.balls.offsets[v]; k < set.balls.offsets[v + 1]; ++k)
          if (set.ball_rows[k] != row) {
            rows.push_back(first + static_cast<std::int64_t>(row));
            sources.push_back(first + set.ball_rows[k]);
          }
      };
      add_ball(set.first[row]);
      if (set.second[row] != set.first[row]) add_ball(set.second[row]);
    }
  }
  Neighborhood n;
  n.row = index_tensor(rows, device);
  n.source = index_tensor(sources, device);
  return n;
}

}  // namespace twofold::tensors
