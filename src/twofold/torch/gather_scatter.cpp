#include "twofold/torch/gather_scatter.h"

#include <torch/torch.h>
#include <torch/version.h>

#include <limits>

namespace twofold::tensors {
namespace {

using torch::Tensor;

// libtorch 1 warns on standard error that its reduction may change one day; users cannot help that.
#if TORCH_VERSION_MAJOR < 2
struct SilentHandler : c10::WarningHandler {
  void process(const c10::SourceLocation&, const std::string&, const bool) override {}
};
#endif

std::int64_t num_segments(const RowGroups& groups) { return groups.num_graphs * groups.num_kinds; }
Tensor entries_of(const Tensor& x, const RowGroups& groups) {
  return groups.row.defined() ? x.index_select(0, groups.row) : x;
}
Tensor segment_sum(const Tensor& values, const RowGroups& groups) {
  return torch::zeros({num_segments(groups), values.size(1)}, values.options())
      .index_add(0, groups.graph, values);
}

// Largest value per segment and column. It starts from what no row has: a start that ties would take its share
// of the gradient.
Tensor segment_max(const Tensor& values, const RowGroups& groups) {
#if TORCH_VERSION_MAJOR < 2
  SilentHandler silent;
  const c10::Warning::WarningHandlerGuard guard(&silent);
#endif
  const double least = -std::numeric_limits<double>::infinity();
  const Tensor most = torch::full({num_segments(groups), values.size(1)}, least, values.options())
                          .scatter_reduce(0, groups.graph.unsqueeze(1).expand_as(values), values, "amax");
  return torch::where(most == least, torch::zeros_like(most), most);
}

}  // namespace

Tensor index_tensor(const std::vector<std::int64_t>& values) {
  return torch::tensor(values, torch::TensorOptions().dtype(torch::kLong));
}

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
    case Activation::kGelu:
      return torch::gelu(x, "tanh");
    case Activation::kSilu:
      return torch::silu(x);
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

Tensor neighbor_sum(const Tensor& x, const Neighborhood& n) {
  Tensor values = x.index_select(0, n.source);
  if (n.weight.defined()) values = values * n.weight.unsqueeze(1);
  return torch::zeros_like(x).index_add(0, n.row, values);
}

Tensor graph_pool(const Tensor& x, const RowGroups& groups, compute::Pooling pooling) {
  using compute::Pooling;
  const Tensor values = entries_of(x, groups);
  Tensor pooled;
  switch (pooling) {
    case Pooling::kMax:
      pooled = segment_max(values, groups);
      break;
    case Pooling::kMin:
      pooled = segment_max(values.neg(), groups).neg();
      break;
    case Pooling::kSum:
      pooled = segment_sum(values, groups);
      break;
    case Pooling::kMean:
      pooled = segment_sum(values, groups) /
               segment_sum(torch::ones({values.size(0), 1}, values.options()), groups).clamp_min(1);
      break;
    case Pooling::kWeightedMean:
      TORCH_CHECK(false, "graph_pool: the weighted mean needs scores");
    case Pooling::kProduct:
      TORCH_CHECK(false, "graph_pool: the product is of both ends of a link");
  }
  return pooled.view({groups.num_graphs, groups.num_kinds * x.size(1)});
}

Tensor graph_weighted_mean(const Tensor& x, const Tensor& scores, const RowGroups& groups) {
  TORCH_CHECK(scores.dim() == 2 && (scores.size(1) == 1 || scores.size(1) == x.size(1)),
              "graph_weighted_mean: scores must have 1 or ", x.size(1), " columns");
  const Tensor given = entries_of(scores, groups);
  const Tensor largest = segment_max(given.detach(), groups).index_select(0, groups.graph);
  const Tensor weights = torch::exp(given - largest);
  const Tensor total = segment_sum(weights, groups);
  return segment_sum(weights * entries_of(x, groups), groups) /
         torch::where(total == 0, torch::ones_like(total), total);
}

}  // namespace twofold::tensors
