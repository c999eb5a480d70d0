#include "twofold/train/removal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/graph/removal.h"
#include "twofold/train/engine.h"
#include "twofold/train/ensemble.h"
#include "twofold/train/trainer.h"

namespace twofold::train {
namespace {

// So many graphs are held at once.
constexpr std::size_t kChunk = 512;

std::vector<float> outputs_of(const Network& network, Span<const Graph> graphs, const std::vector<Item>& items,
                              const EncodeLimits& limits) {
  EncodedDataset data(graphs, network.settings.model, network.layout, limits);
  data.items = items;
  model::EngineOptions how;
  how.threads = limits.threads;
  how.is_for_one_pass = true;
  const auto engine = make_engine(data, network.settings.model, network.task, how);
  std::vector<std::uint32_t> order(graphs.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t width = network.task.outputs;
  std::vector<std::vector<float>> members;
  for (std::size_t m = 0; m < network.num_members(); ++m)
    members.push_back(all_outputs(*engine, data, order, width, {}, network.member(m)));
  std::vector<float> outputs = joined_outputs(network.task, members);
  for (const float value : outputs)
    if (!std::isfinite(value)) throw Error(fmt::format("the network's output is {}", value));
  return outputs;
}

// `predicted` is the class predicted, or which of the real values is meant.
double answer_of(const Objective& task, std::size_t predicted, const float* outputs) {
  if (task.has_values()) return task.target_scale[predicted] * outputs[predicted];
  if (task.kind == model::TaskKind::kBinary) return predicted == 1 ? outputs[0] : -outputs[0];
  // From the largest of the others, so that nothing overflows.
  double largest = -INFINITY;
  for (std::size_t c = 0; c < task.outputs; ++c)
    if (c != predicted) largest = std::max(largest, static_cast<double>(outputs[c]));
  double sum = 0;
  for (std::size_t c = 0; c < task.outputs; ++c)
    if (c != predicted) sum += std::exp(outputs[c] - largest);
  return outputs[predicted] - largest - std::log(sum);
}

}  // namespace

Explanation explain_by_removal(const Network& network, const Graph& graph, const RemovalAsked& asked,
                               const EncodeLimits& limits, const Progress& progress) {
  Explanation explanation;
  explanation.by = ExplainBy::kRemoval;
  std::vector<Item> items;
  if (asked.item) items = {{0, asked.item->u, asked.item->v}};
  explanation.outputs = outputs_of(network, {&graph, 1}, items, limits);
  const std::size_t predicted =
      network.task.has_values() ? asked.target : predicted_class(network.task, explanation.outputs);
  const double whole = answer_of(network.task, predicted, explanation.outputs.data());

  const std::vector<Edge> edges = graph.edges();
  // Beside each row: the number of its edge.
  std::vector<std::size_t> edge_of;
  for (Node v = 0; v < graph.num_nodes(); ++v) {
    if (asked.item && (v == asked.item->u || v == asked.item->v)) continue;
    explanation.rows.push_back({v, v, pairs::RowKind::kLoop, 0, {}, {}});
    edge_of.push_back(0);
  }
  for (std::size_t e = 0; e < edges.size(); ++e) {
    explanation.rows.push_back({edges[e].u, edges[e].v, pairs::RowKind::kEdge, 0, {}, {}});
    edge_of.push_back(e);
  }
  const std::size_t all = explanation.rows.size();
  for (std::size_t begin = 0; begin < all; begin += kChunk) {
    const std::size_t end = std::min(all, begin + kChunk);
    std::vector<Graph> without;
    items.clear();
    for (std::size_t f = begin; f < end; ++f) {
      const RowContribution& row = explanation.rows[f];
      const bool is_node = row.u == row.v;
      without.push_back(is_node ? without_node(graph, row.u) : without_edge(graph, edge_of[f]));
      if (!asked.item) continue;
      // Later nodes move up.
      const auto name = [&](Node v) { return is_node && v > row.u ? v - 1 : v; };
      items.push_back({static_cast<std::uint32_t>(f - begin), name(asked.item->u), name(asked.item->v)});
    }
    const std::vector<float> outputs = outputs_of(network, without, items, limits);
    for (std::size_t f = begin; f < end; ++f)
      explanation.rows[f].contribution =
          whole - answer_of(network.task, predicted, outputs.data() + (f - begin) * network.task.outputs);
    if (progress) progress(end, all);
  }
  return explanation;
}

}  // namespace twofold::train
