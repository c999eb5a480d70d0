#include "twofold/torch/torch_batch.h"

#include <torch/torch.h>

namespace twofold::tensors {
namespace {

using torch::Tensor;

std::shared_ptr<compute::NeighborPlan> neighbor_plan(const EncodedDataset& data, const Batch& batch,
                                                     const std::vector<std::uint64_t>& row_offsets) {
  auto plan = std::make_shared<compute::NeighborPlan>();
  const VertexLists& lists = data.vertex_lists();
  for (std::size_t i = 0; i < batch.graphs.size(); ++i) {
    const std::uint64_t first = data.first_node(batch.graphs[i]);
    compute::NeighborBlock block;
    block.num_rows = data.num_rows(batch.graphs[i]);
    block.offsets = lists.offsets.data() + first;
    block.sources = lists.sources.data();
    block.row_scale = lists.row_scale.empty() ? nullptr : lists.row_scale.data() + first;
    block.source_scale = lists.source_scale.empty() ? nullptr : lists.source_scale.data() + first;
    block.first_row = block.first_source = row_offsets[i];
    plan->blocks.push_back(block);
    // Neighborhoods are symmetric.
    std::swap(block.row_scale, block.source_scale);
    plan->reverse.push_back(block);
  }
  plan->num_rows = plan->num_sources = row_offsets.back();
  return plan;
}

void fill_features(const EncodedDataset& data, const Batch& batch, const FeatureScaling& scaling,
                   const TorchBatchOptions& options, TorchBatch& result) {
  const auto rows = static_cast<std::int64_t>(result.row_offsets.back());
  const auto columns = static_cast<std::int64_t>(data.columns());
  const auto set = [&](std::size_t i) { return result.slice.sets.empty() ? nullptr : result.slice.sets[i]; };
  if (data.has_labels_only() && !options.dense_features) {
    std::vector<std::uint32_t> found(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < batch.graphs.size(); ++i)
      data.write_labels(batch.graphs[i], set(i), found.data() + result.row_offsets[i]);
    Tensor labels = torch::empty({rows}, torch::kLong);
    std::copy(found.begin(), found.end(), labels.data_ptr<std::int64_t>());
    result.graphs.labels = labels.to(options.device);
    const auto& table = data.label_features();
    result.graphs.label_features =
        torch::tensor(table, torch::kFloat).view({-1, columns}).to(options.device, options.dtype);
    return;
  }
  const auto weights = static_cast<std::int64_t>(tensors::num_columns(data.layout().weights));
  Tensor features = torch::empty({rows, columns - weights}, torch::kFloat);
  for (std::size_t i = 0; i < batch.graphs.size(); ++i)
    data.write_features(
        batch.graphs[i], set(i), scaling,
        features.data_ptr<float>() + static_cast<std::int64_t>(result.row_offsets[i]) * (columns - weights));
  result.graphs.features = features.to(options.device, options.dtype);
  if (weights == 0) return;
  Tensor values = torch::empty({rows, weights}, torch::kDouble);
  for (std::size_t i = 0; i < batch.graphs.size(); ++i)
    data.write_weights(batch.graphs[i], *set(i),
                       values.data_ptr<double>() + static_cast<std::int64_t>(result.row_offsets[i]) * weights);
  result.graphs.features = torch::cat({result.graphs.features, values.to(options.device, options.dtype)}, 1);
}

}  // namespace

std::uint64_t TorchBatch::num_values() const {
  std::uint64_t bytes = 4 * index_count;
  for (const Tensor& index :
       {graphs.features, graphs.labels, graphs.label_features, graphs.references.row, graphs.references.a,
        graphs.references.b, graphs.neighborhood.row, graphs.neighborhood.source})
    if (index.defined()) bytes += static_cast<std::uint64_t>(index.nbytes());
  for (const pairs::PairSet& set : slice.own) bytes += set.memory();
  return bytes / 4;
}

std::unique_ptr<TorchBatch> make_torch_batch(const EncodedDataset& data, const Batch& batch,
                                             const FeatureScaling& scaling, const TorchBatchOptions& options) {
  auto result = std::make_unique<TorchBatch>();
  tensors::GraphBatch& graphs = result->graphs;
  graphs.seed = batch.seed;
  result->row_offsets = {0};
  for (const std::uint32_t g : batch.graphs)
    result->row_offsets.push_back(result->row_offsets.back() + data.num_rows(g));

  std::vector<std::uint64_t> pooled;
  if (options.loops_only)
    for (const std::uint32_t g : batch.graphs) pooled.push_back(data.graphs()[g].num_nodes());
  const auto segments =
      std::make_shared<compute::Segments>(compute::contiguous_segments(result->row_offsets, pooled));
  if (options.stock)
    graphs.groups = tensors::stock_groups(*segments, options.device);
  else
    graphs.groups.segments = segments;

  if (model::has_pair_rows(data.model())) {
    result->slice = data.pair_sets(batch.graphs);
    const auto pair_batch = std::make_shared<pairs::PairBatch>(pairs::make_batch(result->slice.sets));
    const bool has_triples = data.model() == model::ModelKind::k2WlGnn;
    if (has_triples && options.stock)
      graphs.references = tensors::make_reference_tensors(*pair_batch).to(options.device);
    else if (has_triples)
      graphs.plan = std::make_shared<compute::PairPlan>(compute::make_plan(*pair_batch));
    else if (options.stock)
      graphs.neighborhood = tensors::stock_neighborhood(*pair_batch, options.device);
    else
      graphs.neighborhood.edges = pair_batch;
  } else if (data.model() != model::ModelKind::kMlp) {
    const auto plan = neighbor_plan(data, batch, result->row_offsets);
    if (options.stock)
      graphs.neighborhood = tensors::stock_neighborhood(*plan, options.dtype, options.device);
    else
      graphs.neighborhood.plan = plan;
    // Given counts, nodes are normalized by sums in double: in float they are off by percents in the gradient
    // where most nodes are near each other and a few far away, as hubs are.
    if (data.model() == model::ModelKind::kGin && !options.stock)
      graphs.counts = torch::ones({static_cast<std::int64_t>(result->row_offsets.back())}, options.dtype);
  }
  fill_features(data, batch, scaling, options, *result);
  return result;
}

}  // namespace twofold::tensors
