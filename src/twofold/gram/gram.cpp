#include "twofold/gram/gram.h"

#include <utility>

#include "twofold/base/interrupt.h"
#include "twofold/base/memory.h"
#include "twofold/gram/gram_parts.h"
#include "twofold/gram/vertex_colors.h"
#include "twofold/graph/dataset.h"

namespace twofold::gram {
namespace {

// The counts of one round's colors, graph by graph.
FeatureCounts count_vertices(Span<const Graph> graphs, const std::vector<std::vector<std::uint32_t>>& colors,
                             std::size_t t, std::size_t num_colors) {
  FeatureCounts part;
  part.num_features = num_colors;
  std::vector<std::uint32_t> count(num_colors, 0);
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::size_t n = graphs[g].num_nodes();
    const std::uint32_t* of_graph = colors[g].data() + t * n;
    const std::size_t begin = part.features.size();
    for (std::size_t v = 0; v < n; ++v)
      if (count[of_graph[v]]++ == 0) part.features.push_back(of_graph[v]);
    for (std::size_t e = begin; e < part.features.size(); ++e) {
      part.counts.push_back(count[part.features[e]]);
      count[part.features[e]] = 0;
    }
    part.offsets.push_back(part.features.size());
  }
  return part;
}

void add_vertices(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options, GramSum& sum) {
  VertexColors tables(kernel);
  const auto colors = color_vertices(graphs, tables, options);
  for (int t = 0; t <= kernel.iterations; ++t)
    sum.add(count_vertices(graphs, colors, static_cast<std::size_t>(t), tables.round(t).size()));
}

}  // namespace

std::vector<std::vector<std::uint32_t>> color_vertices(Span<const Graph> graphs, VertexColors& tables,
                                                       const GramOptions& options) {
  const std::uint64_t limit = options.max_memory;
  std::uint64_t need = 8 * graphs.size() * graphs.size();
  for (const Graph& g : graphs) need += 4 * g.num_nodes() * static_cast<std::uint64_t>(tables.num_rounds());
  require_memory("the colors of the nodes and the Gram matrix", need, limit);
  std::vector<std::vector<std::uint32_t>> colors(graphs.size());
  const auto rounds = static_cast<std::uint64_t>(tables.num_rounds());
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    check_interrupt();
    colors[g] = tables.add(graphs[g]);
    if (g % 256 != 255) continue;
    require_memory("the colors of the nodes", need + tables.bytes(), limit);
    if (options.progress) options.progress((g + 1) * rounds, graphs.size() * rounds);
  }
  return colors;
}

GramMatrix gram_matrix(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options) {
  require_valid(kernel);
  require_undirected(graphs, kernel_name(kernel.kind));
  // Before the matrix takes its part: what follows counts it among its own needs.
  GramOptions within = options;
  within.max_memory = resolve_memory_limit(options.max_memory);
  GramSum sum(graphs.size(), options.threads, options.max_memory, kernel.combine);
  switch (kernel.kind) {
    case KernelKind::kWlSubtree:
      add_vertices(graphs, kernel, within, sum);
      break;
    case KernelKind::kWlShortestPath:
      add_paths(graphs, kernel, within, sum);
      break;
    case KernelKind::kLocalSets:
    case KernelKind::kGlobalSets:
    case KernelKind::kRows:
      add_pairs(graphs, kernel, within, sum);
      break;
  }
  return std::move(sum).finish();
}

}  // namespace twofold::gram
