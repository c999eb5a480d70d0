#include "bindings/flat_graphs.h"

#include <fmt/format.h>

#include "twofold/base/parallel.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::python {
namespace {

// Rows begin…end of a table.
template <typename T>
std::vector<T> part(const std::vector<T>& values, std::uint64_t begin, std::uint64_t end,
                    std::size_t columns = 1) {
  const auto at = [&](std::uint64_t row) {
    return values.begin() + static_cast<std::ptrdiff_t>(row * columns);
  };
  return {at(begin), at(end)};
}

Graph build_graph(const FlatGraphs& flat, std::size_t g) {
  const std::uint64_t first_node = flat.nodes[g], last_node = flat.nodes[g + 1];
  const std::uint64_t first_edge = flat.edges[g], last_edge = flat.edges[g + 1];
  GraphBuilder builder(last_node - first_node);
  builder.reserve_edges(last_edge - first_edge);
  if (flat.is_directed) builder.set_directed();
  for (std::uint64_t e = first_edge; e < last_edge; ++e) builder.add_edge(flat.ends[e].u, flat.ends[e].v);
  if (!flat.node_labels.empty()) builder.set_node_labels(part(flat.node_labels, first_node, last_node));
  if (flat.node_columns > 0)
    builder.set_node_attributes(flat.node_columns,
                                part(flat.node_attributes, first_node, last_node, flat.node_columns));
  if (!flat.edge_labels.empty()) builder.set_edge_labels(part(flat.edge_labels, first_edge, last_edge));
  if (flat.edge_columns > 0)
    builder.set_edge_attributes(flat.edge_columns,
                                part(flat.edge_attributes, first_edge, last_edge, flat.edge_columns));
  return std::move(builder).build();
}

}  // namespace

std::vector<Graph> build_graphs(const FlatGraphs& flat, int threads) {
  constexpr std::size_t kAtOnce = 64;  // small graphs are built sooner than handed out
  std::vector<Graph> graphs(flat.size());
  parallel_for((graphs.size() + kAtOnce - 1) / kAtOnce, threads, [&](std::size_t block) {
    const std::size_t end = std::min(graphs.size(), (block + 1) * kAtOnce);
    for (std::size_t g = block * kAtOnce; g < end; ++g) try {
        graphs[g] = build_graph(flat, g);
      } catch (const InputError& error) {
        throw InputError(fmt::format("graph {}: {}", g, error.what()));
      }
  });
  return graphs;
}

}  // namespace twofold::python
