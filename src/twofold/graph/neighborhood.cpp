#include "twofold/graph/neighborhood.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/graph/part_data.h"

namespace twofold {

Node Neighborhood::name_of(Node v) const {
  const auto found = std::lower_bound(nodes.begin(), nodes.end(), v);
  return static_cast<Node>(found != nodes.end() && *found == v ? found - nodes.begin()
                                                               : static_cast<std::ptrdiff_t>(nodes.size()));
}

std::vector<Node> nodes_within(const Graph& g, Span<const Node> centers, std::size_t steps) {
  std::vector<bool> is_found(g.num_nodes(), false);
  std::vector<Node> found;
  const auto add = [&](Node v) {
    if (is_found[v]) return;
    is_found[v] = true;
    found.push_back(v);
  };
  for (const Node v : centers) {
    TWOFOLD_CHECK(v < g.num_nodes());
    add(v);
  }
  std::size_t begin = 0;
  for (std::size_t step = 0; step < steps && begin < found.size(); ++step) {
    const std::size_t end = found.size();
    for (; begin < end; ++begin)
      for (const Node u : g.neighbors(found[begin])) add(u);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Neighborhood induced(const Graph& g, std::vector<Node> nodes) {
  constexpr Node kNone = ~Node{0};
  std::vector<Node> name(g.num_nodes(), kNone);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    TWOFOLD_CHECK(nodes[k] < g.num_nodes() && (k == 0 || nodes[k - 1] < nodes[k]));
    name[nodes[k]] = static_cast<Node>(k);
  }
  GraphBuilder builder(nodes.size());
  graph::PartData data(g);
  for (const Node v : nodes) {
    data.add_node(v);
    const auto neighbors = g.neighbors(v);
    const auto edges = g.incident_edges(v);
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
      if (neighbors[k] < v || name[neighbors[k]] == kNone) continue;
      builder.add_edge(name[v], name[neighbors[k]]);
      if (!edges.empty()) data.add_edge(edges[k]);
    }
  }
  const auto loops = g.self_loops();
  for (std::size_t k = 0; k < loops.size(); ++k) {
    if (name[loops[k]] == kNone) continue;
    builder.add_edge(name[loops[k]], name[loops[k]]);
    data.add_edge(g.num_edges() + k);
  }
  return {std::move(data).build(std::move(builder)), std::move(nodes)};
}

}  // namespace twofold
