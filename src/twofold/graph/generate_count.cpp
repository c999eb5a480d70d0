#include "twofold/graph/generate_count.h"

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/cycle_counts.h"
#include "twofold/graph/generate_random.h"
#include "twofold/graph/generate_regular.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

Graph thinned_regular(std::size_t n, std::size_t degree, Random& random) {
  const Graph regular = random_regular_graph(n + (n * degree) % 2, degree, random);
  std::vector<Edge> edges = regular.edges();
  random.shuffle(edges);
  edges.resize(edges.size() - edges.size() / 10);
  GraphBuilder builder(regular.num_nodes());
  for (const Edge e : edges) builder.add_edge(e.u, e.v);
  return std::move(builder).build();
}

void count_at_nodes(Dataset& dataset, int length) {
  ItemTargets& targets = dataset.node_targets;
  targets.items = all_nodes(dataset.graphs);
  double sum = 0, squares = 0;
  for (const CycleCounts& counts : count_cycles(dataset.graphs, {length, length}))
    for (const std::uint64_t count : counts.at_node) {
      const auto value = static_cast<double>(count);
      targets.values.push_back(value);
      sum += value;
      squares += value * value;
    }
  const auto n = static_cast<double>(targets.values.size());
  const double deviation = std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)));
  if (deviation > 0)
    for (double& value : targets.values) value /= deviation;
}

}  // namespace

Dataset generate_count(const CountTaskOptions& options, std::uint64_t seed) {
  if (options.min_nodes < 7 || options.max_nodes < options.min_nodes)
    throw UsageError(fmt::format("needed 7 nodes or more, the fewest before the most, found {} to {}",
                                 options.min_nodes, options.max_nodes));
  if (options.patterns.empty()) throw UsageError("needed a pattern to count, found none");
  if (options.per_node && (options.patterns.size() > 1 || options.patterns[0].kind != Pattern::Kind::kCycle))
    throw UsageError(fmt::format("per node needed one cycle to count, as in cycle-4, found {}",
                                 options.patterns.size() > 1
                                     ? fmt::format("{} patterns", options.patterns.size())
                                     : pattern_name(options.patterns[0])));
  Dataset dataset;
  dataset.name = "count";
  const Random all(seed);
  for (std::size_t i = 0; i < options.num_graphs; ++i) {
    Random random = all.stream(i);
    const std::size_t n = options.min_nodes + random.below(options.max_nodes - options.min_nodes + 1);
    if (i % 2 == 0) {
      const double mean_degree = 2 + 4 * random.uniform();
      dataset.graphs.push_back(
          erdos_renyi_graph(n, std::min(1.0, mean_degree / static_cast<double>(n - 1)), random));
    } else {
      dataset.graphs.push_back(thinned_regular(n, 3 + random.below(4), random));
    }
  }
  if (options.per_node) {
    count_at_nodes(dataset, options.patterns[0].size);
    return dataset;
  }
  dataset.num_real_targets = options.patterns.size();
  for (const Pattern& pattern : options.patterns) dataset.target_names.push_back(pattern_name(pattern));
  for (const auto& row : count_patterns(dataset.graphs, options.patterns))
    for (const std::uint64_t count : row) dataset.real_targets.push_back(static_cast<double>(count));
  return dataset;
}

}  // namespace twofold::graph
