#include "twofold/graph/statistics.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "twofold/base/parallel.h"
#include "twofold/graph/radius.h"

namespace twofold::graph {
namespace {

// Sums of integers, so that the order of adding changes nothing.
class SpreadSum {
 public:
  void add(std::uint64_t value) {
    min_ = count_ == 0 ? value : std::min(min_, value);
    max_ = std::max(max_, value);
    ++count_;
    sum_ += value;
    squares_ += static_cast<long double>(value) * static_cast<long double>(value);
  }

  Spread result() const {
    Spread spread;
    if (count_ == 0) return spread;
    const auto count = static_cast<long double>(count_);
    const long double mean = static_cast<long double>(sum_) / count;
    spread.count = count_;
    spread.min = static_cast<double>(min_);
    spread.mean = static_cast<double>(mean);
    spread.max = static_cast<double>(max_);
    spread.std = static_cast<double>(std::sqrt(std::max(0.0L, squares_ / count - mean * mean)));
    return spread;
  }

 private:
  std::size_t count_ = 0;
  std::uint64_t min_ = 0;
  std::uint64_t max_ = 0;
  std::uint64_t sum_ = 0;
  long double squares_ = 0;
};

LabelUse use_of(std::vector<Label> labels) {
  if (labels.empty()) return {};
  std::sort(labels.begin(), labels.end());
  const std::int64_t lowest = std::min<std::int64_t>(labels.front(), 1);
  LabelUse use;
  use.columns = static_cast<std::size_t>(std::max<std::int64_t>(labels.back() - lowest + 1, 1));
  use.used = static_cast<std::size_t>(std::unique(labels.begin(), labels.end()) - labels.begin());
  return use;
}

Spread spread_of_radii(const Dataset& dataset, const StatisticsOptions& options) {
  std::vector<std::optional<std::uint32_t>> radii(dataset.graphs.size());
  std::mutex guard;
  std::uint64_t done = 0;
  parallel_for(radii.size(), options.threads, [&](std::size_t i) {
    radii[i] = radius(dataset.graphs[i]);
    const std::lock_guard<std::mutex> lock(guard);
    if (options.progress) options.progress(++done, radii.size());
  });
  SpreadSum sum;
  for (const auto& r : radii)
    if (r) sum.add(*r);
  return sum.result();
}

DatasetStatistics::Items items_of(const ItemTargets& targets) {
  DatasetStatistics::Items items;
  items.count = targets.items.size();
  items.known = targets.num_known();
  for (std::size_t c = 0; c < targets.class_names.size(); ++c)
    items.classes.emplace_back(
        targets.class_names[c],
        std::count(targets.class_of.begin(), targets.class_of.end(), static_cast<std::uint32_t>(c)));
  return items;
}

void describe_features(const Dataset& dataset, DatasetStatistics& result) {
  double entries = 0, nodes = 0;
  for (const Graph& g : dataset.graphs) {
    if (g.node_features() == nullptr) return;
    result.feature_columns = g.node_features()->columns;
    nodes += static_cast<double>(g.num_nodes());
    for (const Label row : g.node_labels())
      entries += static_cast<double>(g.node_features()->row_indices(static_cast<std::size_t>(row)).size());
  }
  if (nodes > 0) result.features_per_node = entries / nodes;
}

}  // namespace

DatasetStatistics describe(const Dataset& dataset, const StatisticsOptions& options) {
  DatasetStatistics result;
  result.name = dataset.name;
  result.graphs = dataset.graphs.size();
  result.nodes_with_targets = items_of(dataset.node_targets);
  result.pairs_with_targets = items_of(dataset.pair_targets);
  describe_features(dataset, result);
  SpreadSum nodes, edges, degree;
  std::vector<Label> node_labels, edge_labels;
  for (const Graph& g : dataset.graphs) {
    nodes.add(g.num_nodes());
    edges.add(g.num_edges() + g.num_self_loops());
    result.self_loops += g.num_self_loops();
    if (g.is_directed()) ++result.directed_graphs;
    const Node* loop = g.self_loops().begin();
    for (Node v = 0; v < g.num_nodes(); ++v) {
      const bool has_loop = loop != g.self_loops().end() && *loop == v;
      if (has_loop) ++loop;
      degree.add(g.degree(v) + (has_loop ? 1 : 0));
      if (g.degree(v) == 0) ++result.isolated_nodes;
    }
    if (g.node_features() == nullptr)
      node_labels.insert(node_labels.end(), g.node_labels().begin(), g.node_labels().end());
    edge_labels.insert(edge_labels.end(), g.edge_labels().begin(), g.edge_labels().end());
    result.node_attributes = std::max(result.node_attributes, g.num_node_attributes());
    result.edge_attributes = std::max(result.edge_attributes, g.num_edge_attributes());
  }
  result.nodes = nodes.result();
  result.edges = edges.result();
  result.degree = degree.result();
  result.node_labels = use_of(std::move(node_labels));
  result.edge_labels = use_of(std::move(edge_labels));
  for (const std::string& name : dataset.class_names) result.classes.emplace_back(name, 0);
  for (const std::uint32_t c : dataset.class_of) ++result.classes[c].second;
  result.real_targets = dataset.num_real_targets;
  if (options.with_radius) result.radius = spread_of_radii(dataset, options);
  return result;
}

}  // namespace twofold::graph
