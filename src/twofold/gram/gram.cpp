#include "twofold/gram/gram.h"

#include <algorithm>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
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
  const auto colors = color_vertices(graphs, tables, options, sum.bytes());
  for (int t = 0; t <= kernel.iterations; ++t)
    sum.add(count_vertices(graphs, colors, static_cast<std::size_t>(t), tables.round(t).size()));
}

// Some rows, all graphs counted.
GramMatrix make_rows(Span<const Graph> graphs, const Kernel& kernel, RowRange rows,
                     const GramOptions& options) {
  // Before the rows take their part: what follows counts them among its own needs.
  GramOptions within = options;
  within.max_memory = resolve_memory_limit(options.max_memory);
  GramSum sum(graphs.size(), rows, options.threads, options.max_memory, kernel.combine);
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

void check_input(Span<const Graph> graphs, const Kernel& kernel) {
  require_valid(kernel);
  require_undirected(graphs, kernel_name(kernel.kind));
}

std::uint64_t counting_bytes(Span<const Graph> graphs, const Kernel& kernel, int threads) {
  switch (kernel.kind) {
    case KernelKind::kWlSubtree:
      return vertex_bytes(graphs, kernel);
    case KernelKind::kWlShortestPath:
      return path_bytes(graphs, kernel);
    case KernelKind::kLocalSets:
    case KernelKind::kGlobalSets:
    case KernelKind::kRows:
      break;
  }
  return pair_bytes(graphs, kernel, threads);
}

}  // namespace

std::uint64_t vertex_bytes(Span<const Graph> graphs, const Kernel& kernel) {
  std::uint64_t nodes = 0;
  for (const Graph& g : graphs) nodes += g.num_nodes();
  // A color per round; the counts of a round, by graphs and by colors.
  return nodes * (4 * (static_cast<std::uint64_t>(kernel.iterations) + 1) + 32) + 64 * graphs.size();
}

std::vector<std::vector<std::uint32_t>> color_vertices(Span<const Graph> graphs, VertexColors& tables,
                                                       const GramOptions& options, std::uint64_t held) {
  const std::uint64_t limit = options.max_memory;
  std::uint64_t need = held;
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
  check_input(graphs, kernel);
  return make_rows(graphs, kernel, {0, graphs.size()}, options);
}

std::size_t rows_at_once(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options) {
  const auto n = static_cast<std::uint64_t>(graphs.size());
  if (n == 0) return 0;
  const std::uint64_t limit = resolve_memory_limit(options.max_memory);
  const std::uint64_t counting = counting_bytes(graphs, kernel, options.threads);
  // Colors are found on the way and their tables grow: rows get half of what is left.
  constexpr std::uint64_t kEntry = sizeof(std::int64_t);
  require_memory(fmt::format("{} of {} graphs, row by row", describe(kernel), n), counting + 2 * kEntry * n,
                 limit);
  const auto rows = static_cast<std::size_t>(std::min(n, (limit - counting) / 2 / (kEntry * n)));
  return options.most_rows > 0 ? std::min(rows, options.most_rows) : rows;
}

void gram_blocks(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options,
                 const std::function<void(const GramMatrix& rows)>& take) {
  check_input(graphs, kernel);
  const std::size_t n = graphs.size();
  if (n == 0) {
    take({});
    return;
  }
  const std::size_t most = rows_at_once(graphs, kernel, options);
  const std::size_t blocks = (n + most - 1) / most;
  for (std::size_t b = 0; b < blocks; ++b) {
    GramOptions within = options;
    if (options.progress)
      within.progress = [&](std::uint64_t done, std::uint64_t total) {
        options.progress(b * total + done, blocks * total);
      };
    if (b > 0) return_free_memory();  // else what the block before took would count as in use
    take(make_rows(graphs, kernel, {b * n / blocks, (b + 1) * n / blocks}, within));
  }
}

}  // namespace twofold::gram
