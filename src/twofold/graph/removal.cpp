#include "twofold/graph/removal.h"

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold {
namespace {

// What is left of `g` when nodes and edges are left out; `keeps_edge` is asked with an edge's number and ends.
template <typename KeepsNode, typename KeepsEdge>
Graph part_of(const Graph& g, const KeepsNode& keeps_node, const KeepsEdge& keeps_edge) {
  std::vector<Node> new_name(g.num_nodes(), 0);
  std::vector<Label> node_labels;
  std::vector<double> node_attributes;
  Node n = 0;
  for (Node v = 0; v < g.num_nodes(); ++v) {
    if (!keeps_node(v)) continue;
    new_name[v] = n++;
    if (g.has_node_labels()) node_labels.push_back(g.node_labels()[v]);
    const auto row = g.node_attributes(v);
    node_attributes.insert(node_attributes.end(), row.begin(), row.end());
  }
  GraphBuilder builder(n);
  std::vector<Label> edge_labels;
  std::vector<double> edge_attributes;
  std::vector<Edge> edges = g.edges();
  for (const Node v : g.self_loops()) edges.push_back({v, v});
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!keeps_node(edges[e].u) || !keeps_node(edges[e].v) || !keeps_edge(e)) continue;
    builder.add_edge(new_name[edges[e].u], new_name[edges[e].v]);
    if (g.has_edge_labels()) edge_labels.push_back(g.edge_labels()[e]);
    const auto row = g.edge_attributes(e);
    edge_attributes.insert(edge_attributes.end(), row.begin(), row.end());
  }
  if (g.has_node_labels()) builder.set_node_features(g.node_features(), std::move(node_labels));
  if (g.num_node_attributes() > 0)
    builder.set_node_attributes(g.num_node_attributes(), std::move(node_attributes));
  if (g.has_edge_labels()) builder.set_edge_labels(std::move(edge_labels));
  if (g.num_edge_attributes() > 0)
    builder.set_edge_attributes(g.num_edge_attributes(), std::move(edge_attributes));
  return std::move(builder).build();
}

}  // namespace

Graph without_node(const Graph& g, Node v) {
  TWOFOLD_CHECK(v < g.num_nodes());
  return part_of(
      g, [&](Node u) { return u != v; }, [](std::size_t) { return true; });
}

Graph without_edge(const Graph& g, std::size_t edge) {
  TWOFOLD_CHECK(edge < g.num_edges() + g.num_self_loops());
  return part_of(
      g, [](Node) { return true; }, [&](std::size_t e) { return e != edge; });
}

Graph without_edges(const Graph& g, const std::vector<bool>& is_removed) {
  TWOFOLD_CHECK(is_removed.size() == g.num_edges() + g.num_self_loops());
  return part_of(
      g, [](Node) { return true; }, [&](std::size_t e) { return !is_removed[e]; });
}

}  // namespace twofold
