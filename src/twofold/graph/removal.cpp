#include "twofold/graph/removal.h"

#include "twofold/base/error.h"
#include "twofold/graph/part_data.h"

namespace twofold {
namespace {

// What is left of `g` when nodes and edges are left out; `keeps_edge` is asked with an edge's number and ends.
template <typename KeepsNode, typename KeepsEdge>
Graph part_of(const Graph& g, const KeepsNode& keeps_node, const KeepsEdge& keeps_edge) {
  std::vector<Node> new_name(g.num_nodes(), 0);
  graph::PartData data(g);
  Node n = 0;
  for (Node v = 0; v < g.num_nodes(); ++v) {
    if (!keeps_node(v)) continue;
    new_name[v] = n++;
    data.add_node(v);
  }
  GraphBuilder builder(n);
  std::vector<Edge> edges = g.edges();
  for (const Node v : g.self_loops()) edges.push_back({v, v});
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!keeps_node(edges[e].u) || !keeps_node(edges[e].v) || !keeps_edge(e)) continue;
    builder.add_edge(new_name[edges[e].u], new_name[edges[e].v]);
    data.add_edge(e);
  }
  return std::move(data).build(std::move(builder));
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
