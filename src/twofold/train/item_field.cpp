#include "twofold/train/item_field.h"

#include <numeric>

namespace twofold::train {

std::optional<std::size_t> steps_seen(const model::ModelOptions& model) {
  const std::size_t degrees = model.degree_features ? 1 : 0;
  const auto layers = static_cast<std::size_t>(model.layers);
  switch (model.model) {
    case model::ModelKind::kMlp:
      return degrees;
    case model::ModelKind::kGcn:
      return layers + 1;
    case model::ModelKind::kGin:
    case model::ModelKind::kSage:
    case model::ModelKind::k2Gnn:
      return layers + degrees;
    case model::ModelKind::k2WlGnn:
      break;
  }
  if (model.radius.is_all()) return std::nullopt;
  const auto r = static_cast<std::size_t>(model.radius.steps());
  return r * ((layers + 1) / 2) + r / 2 + degrees;
}

std::vector<Node> nodes_needed(const Graph& graph, Span<const Item> items, const model::ModelOptions& model) {
  const std::optional<std::size_t> steps = steps_seen(model);
  std::vector<Node> nodes;
  if (steps) {
    for (const Item item : items) {
      nodes.push_back(item.u);
      if (item.v != item.u) nodes.push_back(item.v);
    }
    return nodes_within(graph, nodes, *steps);
  }
  nodes.resize(graph.num_nodes());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  return nodes;
}

Neighborhood field_of(const Graph& graph, Span<const Item> items, const model::ModelOptions& model) {
  return induced(graph, nodes_needed(graph, items, model));
}

}  // namespace twofold::train
