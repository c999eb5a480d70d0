#include "twofold/torch/segment_pool_op.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/torch.h>
#include <torch/version.h>

#include "twofold/torch/tensor_checks.h"

namespace twofold::tensors {
namespace {

using compute::SegmentReduction;
using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

struct SavedSegments : torch::CustomClassHolder {
  explicit SavedSegments(std::shared_ptr<const compute::Segments> given) : segments(std::move(given)) {}
  std::shared_ptr<const compute::Segments> segments;
};

template <typename T>
compute::SegmentPoolArgs<T> pool_args(const compute::Segments& segments, const Tensor& x, const Tensor& scores,
                                      const Tensor& out, const Tensor& weights, int threads) {
  compute::SegmentPoolArgs<T> args;
  args.segments = &segments;
  args.d = static_cast<std::size_t>(x.size(1));
  args.x = x.data_ptr<T>();
  args.out = out.data_ptr<T>();
  args.threads = threads;
  if (scores.defined()) {
    args.scores = scores.data_ptr<T>();
    args.score_columns = static_cast<std::size_t>(scores.size(1));
    args.weights = weights.data_ptr<T>();
  }
  return args;
}

// `scores` without values stands for none: autograd's nodes take no undefined input.
struct SegmentPoolNode : torch::autograd::Function<SegmentPoolNode> {
  static Variable forward(AutogradContext* context, const Tensor& x_given, const Tensor& scores_given,
                          const std::shared_ptr<const compute::Segments>& segments, SegmentReduction reduction,
                          int threads) {
    const Tensor x = x_given.contiguous();
    const bool has_scores = scores_given.dim() == 2;
    const Tensor scores = has_scores ? scores_given.contiguous() : Tensor();
    const Tensor out =
        torch::empty({static_cast<std::int64_t>(segments->num_graphs()), x.size(1)}, x.options());
    const Tensor weights =
        has_scores ? torch::empty({static_cast<std::int64_t>(compute::num_entries(*segments)), scores.size(1)},
                                  x.options())
                   : torch::empty({0}, x.options());
    with_type(x, [&](auto zero) {
      auto args = pool_args<decltype(zero)>(*segments, x, scores, out, weights, threads);
      args.reduction = reduction;
      compute::segment_pool(args);
    });
    context->save_for_backward({x, has_scores ? scores : scores_given, out, weights});
    context->saved_data["segments"] = c10::IValue::make_capsule(c10::make_intrusive<SavedSegments>(segments));
    context->saved_data["reduction"] = static_cast<std::int64_t>(reduction);
    context->saved_data["threads"] = static_cast<std::int64_t>(threads);
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    TORCH_CHECK(!torch::GradMode::is_enabled(),
                "segment_pool: second derivatives are not available (create_graph)");
    const variable_list saved = context->get_saved_variables();
    const auto kept =
        c10::static_intrusive_pointer_cast<SavedSegments>(context->saved_data["segments"].toCapsule());
    const Tensor dout = gradients[0].contiguous();
    const Tensor dx = torch::zeros_like(saved[0]);
    const Tensor scores = saved[1].dim() == 2 ? saved[1] : Tensor();
    const Tensor dscores = scores.defined() ? torch::zeros_like(scores) : Tensor();
    with_type(dout, [&](auto zero) {
      using T = decltype(zero);
      auto args = pool_args<T>(*kept->segments, saved[0], scores, saved[2], saved[3],
                               static_cast<int>(context->saved_data["threads"].toInt()));
      args.reduction = static_cast<SegmentReduction>(context->saved_data["reduction"].toInt());
      args.dout = dout.data_ptr<T>();
      args.dx = dx.data_ptr<T>();
      args.dscores = dscores.defined() ? dscores.data_ptr<T>() : nullptr;
      compute::segment_pool_backward(args);
    });
    return {dx, dscores, Tensor(), Tensor(), Tensor()};
  }
};

Tensor entries_of(const Tensor& x, const RowGroups& groups) {
  return groups.row.defined() ? x.index_select(0, groups.row) : x;
}
Tensor stock_sum(const Tensor& values, const RowGroups& groups) {
  return torch::zeros({groups.num_graphs, values.size(1)}, values.options()).index_add(0, groups.graph, values);
}

// libtorch 1 warns on standard error that its reduction may change one day; users cannot help that.
#if TORCH_VERSION_MAJOR < 2
struct SilentHandler : c10::WarningHandler {
  void process(const c10::SourceLocation&, const std::string&, const bool) override {}
};
#endif

// Largest value a graph and column; 0 for a graph without rows.
Tensor stock_max(const Tensor& values, const RowGroups& groups) {
#if TORCH_VERSION_MAJOR < 2
  SilentHandler silent;
  const c10::Warning::WarningHandlerGuard guard(&silent);
#endif
  return torch::zeros({groups.num_graphs, values.size(1)}, values.options())
      .scatter_reduce(0, groups.graph.unsqueeze(1).expand_as(values), values, "amax", /*include_self=*/false);
}

}  // namespace

Tensor segment_pool(const Tensor& x, const RowGroups& groups, SegmentReduction reduction, int threads) {
  if (groups.segments != nullptr) {
    check_rows("segment_pool", x, groups.segments->num_rows);
    return SegmentPoolNode::apply(x, torch::empty({0}, x.options()), groups.segments, reduction, threads);
  }
  const Tensor values = entries_of(x, groups);
  switch (reduction) {
    case SegmentReduction::kMax:
      return stock_max(values, groups);
    case SegmentReduction::kMin:
      return stock_max(values.neg(), groups).neg();
    case SegmentReduction::kSum:
      return stock_sum(values, groups);
    case SegmentReduction::kMean:
      break;
  }
  const Tensor counts = stock_sum(torch::ones({values.size(0), 1}, values.options()), groups);
  return stock_sum(values, groups) / counts.clamp_min(1);
}

Tensor segment_weighted_mean(const Tensor& x, const Tensor& scores, const RowGroups& groups, int threads) {
  TORCH_CHECK(scores.dim() == 2 && (scores.size(1) == 1 || scores.size(1) == x.size(1)),
              "segment_weighted_mean: scores must have 1 or ", x.size(1), " columns");
  if (groups.segments != nullptr) {
    check_rows("segment_weighted_mean", x, groups.segments->num_rows);
    check_rows("segment_weighted_mean", scores, groups.segments->num_rows);
    return SegmentPoolNode::apply(x, scores, groups.segments, SegmentReduction::kMean, threads);
  }
  const Tensor values = entries_of(x, groups);
  const Tensor given = entries_of(scores, groups);
  const Tensor largest = stock_max(given.detach(), groups).index_select(0, groups.graph);
  const Tensor weights = torch::exp(given - largest);
  const Tensor total = stock_sum(weights, groups);
  return stock_sum(weights * values, groups) / torch::where(total == 0, torch::ones_like(total), total);
}

RowGroups stock_groups(const compute::Segments& segments, torch::Device device) {
  TORCH_CHECK(segments.counts.empty(), "stock_groups: rows with counts need our own loops");
  std::vector<std::int64_t> graph, row;
  for (std::size_t g = 0; g < segments.num_graphs(); ++g)
    for (std::uint64_t k = segments.begin[g]; k < segments.end[g]; ++k) {
      graph.push_back(static_cast<std::int64_t>(g));
      row.push_back(static_cast<std::int64_t>(segments.rows.empty() ? k : segments.rows[k]));
    }
  const auto options = torch::TensorOptions().dtype(torch::kLong);
  RowGroups groups;
  groups.graph = torch::tensor(graph, options).to(device);
  if (!segments.rows.empty() || row.size() != segments.num_rows)
    groups.row = torch::tensor(row, options).to(device);
  groups.num_graphs = static_cast<std::int64_t>(segments.num_graphs());
  return groups;
}

}  // namespace twofold::tensors
