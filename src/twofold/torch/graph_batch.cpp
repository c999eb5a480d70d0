#include "twofold/torch/graph_batch.h"

#include <torch/torch.h>

namespace twofold::tensors {
namespace {

using torch::Tensor;
using train::Batch;
using train::EncodedDataset;

// Neighbors as they are collected.
struct NeighborList {
  std::vector<std::int64_t> row, source;
  std::vector<double> weight;

  void add(std::uint64_t to, std::uint64_t from, double times) {
    row.push_back(static_cast<std::int64_t>(to));
    source.push_back(static_cast<std::int64_t>(from));
    weight.push_back(times);
  }
};

// Of gin, gcn and sage.
void add_nodes(const EncodedDataset& data, std::uint32_t graph, std::uint64_t first_row, NeighborList& list) {
  const train::VertexLists& lists = data.vertex_lists();
  const std::uint64_t first = data.first_node(graph);
  for (std::size_t v = 0; v < data.num_rows(graph); ++v) {
    const double row_scale = lists.row_scale.empty() ? 1 : lists.row_scale[first + v];
    for (std::uint64_t k = lists.offsets[first + v]; k < lists.offsets[first + v + 1]; ++k) {
      const std::uint32_t u = lists.sources[k];
      const double source_scale = lists.source_scale.empty() ? 1 : lists.source_scale[first + u];
      list.add(first_row + v, first_row + u, row_scale * source_scale);
    }
  }
}

// Of 2-gnn: rows that share a node with a row, but not the row itself.
void add_pairs(const pairs::PairSet& set, std::uint64_t first_row, NeighborList& list) {
  for (std::size_t row = 0; row < set.num_rows(); ++row) {
    const auto add_ball = [&](Node v) {
      for (std::uint64_t k = set.balls.offsets[v]; k < set.balls.offsets[v + 1]; ++k)
        if (set.ball_rows[k] != row) list.add(first_row + row, first_row + set.ball_rows[k], 1);
    };
    add_ball(set.first[row]);
    if (set.second[row] != set.first[row]) add_ball(set.second[row]);
  }
}

RowGroups row_groups(const EncodedDataset& data, const Batch& batch, const model::ModelOptions& model,
                     const train::PairSlice& slice) {
  std::vector<std::int64_t> graph, row;
  std::int64_t first_row = 0;
  const std::int64_t num_kinds = model.pool_by_kind ? 3 : 1;
  for (std::size_t i = 0; i < batch.graphs.size(); ++i) {
    const auto rows = static_cast<std::int64_t>(data.num_rows(batch.graphs[i]));
    const auto nodes = static_cast<std::int64_t>(data.graphs()[batch.graphs[i]].num_nodes());
    for (std::int64_t f = 0; f < (model.loops_only ? nodes : rows); ++f) {
      const auto kind = [&]() -> std::int64_t {
        if (!model.pool_by_kind || f < nodes) return 0;
        return slice.sets[i]->kind[static_cast<std::size_t>(f)] == pairs::RowKind::kEdge ? 1 : 2;
      };
      graph.push_back(static_cast<std::int64_t>(i) * num_kinds + kind());
      row.push_back(first_row + f);
    }
    first_row += rows;
  }
  RowGroups groups;
  groups.graph = index_tensor(graph);
  if (model.loops_only) groups.row = index_tensor(row);
  groups.num_graphs = static_cast<std::int64_t>(batch.graphs.size());
  groups.num_kinds = num_kinds;
  return groups;
}

Tensor features_of(const EncodedDataset& data, const Batch& batch, const train::FeatureScaling& scaling,
                   const train::PairSlice& slice) {
  const auto weights = static_cast<std::int64_t>(train::num_columns(data.layout().weights));
  const std::int64_t columns = static_cast<std::int64_t>(data.columns()) - weights;
  std::vector<Tensor> parts = {torch::empty({0, columns + weights}, torch::kDouble)};
  for (std::size_t i = 0; i < batch.graphs.size(); ++i) {
    const auto rows = static_cast<std::int64_t>(data.num_rows(batch.graphs[i]));
    const pairs::PairSet* const set = slice.sets.empty() ? nullptr : slice.sets[i];
    Tensor features = torch::empty({rows, columns}, torch::kFloat);
    data.write_features(batch.graphs[i], set, scaling, features.data_ptr<float>());
    features = features.to(torch::kDouble);
    if (weights > 0) {
      const Tensor more = torch::empty({rows, weights}, torch::kDouble);
      data.write_weights(batch.graphs[i], *set, more.data_ptr<double>());
      features = torch::cat({features, more}, 1);
    }
    parts.push_back(features);
  }
  return torch::cat(parts);
}

}  // namespace

std::uint64_t GraphBatch::num_bytes() const {
  std::uint64_t bytes = 0;
  for (const Tensor& part : {features, references.row, references.a, references.b, neighborhood.row,
                             neighborhood.source, neighborhood.weight, groups.graph, groups.row})
    if (part.defined()) bytes += static_cast<std::uint64_t>(part.nbytes());
  return bytes;
}

GraphBatch make_graph_batch(const EncodedDataset& data, const Batch& batch, const model::ModelOptions& model,
                            const train::FeatureScaling& scaling, const torch::TensorOptions& type) {
  const torch::Device device = type.device();
  train::PairSlice slice;
  if (model::has_pair_rows(model.model)) slice = data.pair_sets(batch.graphs);
  GraphBatch result;
  result.seed = batch.seed;
  result.features = features_of(data, batch, scaling, slice).to(type);
  result.groups = row_groups(data, batch, model, slice);
  result.groups.graph = result.groups.graph.to(device);
  if (result.groups.row.defined()) result.groups.row = result.groups.row.to(device);
  if (model.model == model::ModelKind::k2WlGnn) {
    result.references = make_reference_tensors(pairs::make_batch(slice.sets)).to(device);
    return result;
  }
  if (model.model == model::ModelKind::kMlp) return result;
  NeighborList list;
  std::uint64_t first_row = 0;
  for (std::size_t i = 0; i < batch.graphs.size(); ++i) {
    if (model.model == model::ModelKind::k2Gnn)
      add_pairs(*slice.sets[i], first_row, list);
    else
      add_nodes(data, batch.graphs[i], first_row, list);
    first_row += data.num_rows(batch.graphs[i]);
  }
  result.neighborhood.row = index_tensor(list.row).to(device);
  result.neighborhood.source = index_tensor(list.source).to(device);
  if (!data.vertex_lists().row_scale.empty() || !data.vertex_lists().source_scale.empty())
    result.neighborhood.weight = torch::tensor(list.weight, torch::kDouble).to(type);
  return result;
}

}  // namespace twofold::tensors
