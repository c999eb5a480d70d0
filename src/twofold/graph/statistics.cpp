#include "twofold/graph/statistics.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

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

LabelUse use_of(const std::set<Label>& labels) {
  if (labels.empty()) return {};
  const std::int64_t lowest = std::min<std::int64_t>(*labels.begin(), 1);
  LabelUse use;
  use.columns = static_cast<std::size_t>(std::max<std::int64_t>(*labels.rbegin() - lowest + 1, 1));
  use.used = labels.size();
  return use;
}

// A label is mostly the one before it or among the first that came.
void add_labels(Span<const Label> labels, std::set<Label>& all) {
  const Label* last = nullptr;
  for (const Label& label : labels) {
    if (last == nullptr || *last != label) all.insert(label);
    last = &label;
  }
}

void add_radii(const Dataset& dataset, const StatisticsOptions& options, std::uint64_t before, SpreadSum& sum) {
  std::vector<std::optional<std::uint32_t>> radii(dataset.graphs.size());
  std::mutex guard;
  std::uint64_t done = before;
  parallel_for(radii.size(), options.threads, [&](std::size_t i) {
    radii[i] = radius(dataset.graphs[i]);
    const std::lock_guard<std::mutex> lock(guard);
    if (options.progress) options.progress(++done, options.num_graphs > 0 ? options.num_graphs : radii.size());
  });
  for (const auto& r : radii)
    if (r) sum.add(*r);
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

}  // namespace

struct StatisticsSum::Sums {
  DatasetStatistics result;  // what only adds up
  SpreadSum nodes, edges, degree, radius;
  std::set<Label> node_labels, edge_labels;
  double feature_entries = 0, featured_nodes = 0;
};

StatisticsSum::StatisticsSum(StatisticsOptions options)
    : options_(std::move(options)), sums_(std::make_unique<Sums>()) {}

StatisticsSum::~StatisticsSum() = default;

void StatisticsSum::add(const Dataset& block) {
  DatasetStatistics& result = sums_->result;
  const std::size_t before = result.graphs;
  result.name = block.name;
  result.graphs += block.graphs.size();
  if (!block.node_targets.empty()) result.nodes_with_targets = items_of(block.node_targets);
  if (!block.pair_targets.empty()) result.pairs_with_targets = items_of(block.pair_targets);
  for (const Graph& g : block.graphs) {
    sums_->nodes.add(g.num_nodes());
    sums_->edges.add(g.num_edges() + g.num_self_loops());
    result.self_loops += g.num_self_loops();
    if (g.is_directed()) ++result.directed_graphs;
    const Node* loop = g.self_loops().begin();
    for (Node v = 0; v < g.num_nodes(); ++v) {
      const bool has_loop = loop != g.self_loops().end() && *loop == v;
      if (has_loop) ++loop;
      sums_->degree.add(g.degree(v) + (has_loop ? 1 : 0));
      if (g.degree(v) == 0) ++result.isolated_nodes;
    }
    if (const NodeFeatures* features = g.node_features().get()) {
      result.feature_columns = features->columns;
      sums_->featured_nodes += static_cast<double>(g.num_nodes());
      for (const Label row : g.node_labels())
        sums_->feature_entries +=
            static_cast<double>(features->row_indices(static_cast<std::size_t>(row)).size());
    } else {
      add_labels(g.node_labels(), sums_->node_labels);
    }
    add_labels(g.edge_labels(), sums_->edge_labels);
    result.node_attributes = std::max(result.node_attributes, g.num_node_attributes());
    result.edge_attributes = std::max(result.edge_attributes, g.num_edge_attributes());
  }
  if (result.classes.empty())
    for (const std::string& name : block.class_names) result.classes.emplace_back(name, 0);
  for (const std::uint32_t c : block.class_of) ++result.classes[c].second;
  result.real_targets = block.num_real_targets;
  if (options_.with_radius) add_radii(block, options_, before, sums_->radius);
}

DatasetStatistics StatisticsSum::result() const {
  DatasetStatistics result = sums_->result;
  result.nodes = sums_->nodes.result();
  result.edges = sums_->edges.result();
  result.degree = sums_->degree.result();
  result.radius = sums_->radius.result();
  result.node_labels = use_of(sums_->node_labels);
  result.edge_labels = use_of(sums_->edge_labels);
  if (sums_->featured_nodes > 0) result.features_per_node = sums_->feature_entries / sums_->featured_nodes;
  return result;
}

DatasetStatistics describe(const Dataset& dataset, const StatisticsOptions& options) {
  StatisticsSum sum(options);
  sum.add(dataset);
  return sum.result();
}

}  // namespace twofold::graph
