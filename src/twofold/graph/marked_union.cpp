#include "twofold/graph/marked_union.h"

#include <algorithm>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {

Graph marked_union(const Graph& g, Span<const Label> labels, Span<const Node> marked) {
  const std::size_t n = g.num_nodes();
  const std::vector<Edge> edges = g.edges();
  std::vector<Label> plain(n, 0);
  if (!labels.empty() && g.has_node_labels())
    for (std::size_t v = 0; v < n; ++v) {
      const auto place = std::lower_bound(labels.begin(), labels.end(), g.node_labels()[v]);
      TWOFOLD_CHECK(place != labels.end() && *place == g.node_labels()[v]);
      plain[v] = static_cast<Label>(2 * (place - labels.begin()));
    }
  GraphBuilder builder(marked.size() * n);
  builder.reserve_edges(marked.size() * (edges.size() + g.num_self_loops()));
  std::vector<Label> node_labels, edge_labels;
  std::vector<double> node_attributes, edge_attributes;
  for (std::size_t copy = 0; copy < marked.size(); ++copy) {
    const auto first = static_cast<Node>(copy * n);
    for (const Edge e : edges) builder.add_edge(first + e.u, first + e.v);
    for (const Node v : g.self_loops()) builder.add_edge(first + v, first + v);
    node_labels.insert(node_labels.end(), plain.begin(), plain.end());
    ++node_labels[copy * n + marked[copy]];
    edge_labels.insert(edge_labels.end(), g.edge_labels().begin(), g.edge_labels().end());
    if (g.num_node_attributes() > 0)
      for (std::size_t v = 0; v < n; ++v) {
        const Span<const double> row = g.node_attributes(static_cast<Node>(v));
        node_attributes.insert(node_attributes.end(), row.begin(), row.end());
      }
    if (g.num_edge_attributes() > 0)
      for (std::size_t e = 0; e < edges.size() + g.num_self_loops(); ++e) {
        const Span<const double> row = g.edge_attributes(e);
        edge_attributes.insert(edge_attributes.end(), row.begin(), row.end());
      }
  }
  builder.set_node_labels(std::move(node_labels));
  if (g.num_node_attributes() > 0)
    builder.set_node_attributes(g.num_node_attributes(), std::move(node_attributes));
  if (g.has_edge_labels()) builder.set_edge_labels(std::move(edge_labels));
  if (g.num_edge_attributes() > 0)
    builder.set_edge_attributes(g.num_edge_attributes(), std::move(edge_attributes));
  return std::move(builder).build();
}

Graph marked_union(const Graph& g, Span<const Label> labels) {
  std::vector<Node> all(g.num_nodes());
  std::iota(all.begin(), all.end(), Node{0});
  return marked_union(g, labels, all);
}

}  // namespace twofold::graph
