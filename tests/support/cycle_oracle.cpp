#include "tests/support/cycle_oracle.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace twofold::testing {

graph::CycleCounts plain_cycle_counts(const Graph& g, graph::CycleLengths lengths) {
  const std::size_t width = lengths.count();
  graph::CycleCounts counts;
  counts.lengths = lengths;
  counts.in_graph.assign(width, 0);
  counts.at_node.assign(g.num_nodes() * width, 0);
  counts.at_edge.assign(g.num_edges() * width, 0);
  std::map<std::pair<Node, Node>, std::size_t> number;
  for (const Edge e : g.edges()) number.emplace(std::make_pair(e.u, e.v), number.size());

  std::vector<Node> path;
  const auto note = [&] {
    const std::size_t i = path.size() - static_cast<std::size_t>(lengths.shortest);
    ++counts.in_graph[i];
    for (std::size_t k = 0; k < path.size(); ++k) {
      const Node a = path[k];
      const Node b = path[(k + 1) % path.size()];
      ++counts.at_node[a * width + i];
      ++counts.at_edge[number.at({std::min(a, b), std::max(a, b)}) * width + i];
    }
  };
  const std::function<void()> extend = [&] {
    const int length = static_cast<int>(path.size());
    // The second node smaller than the last: one of the two directions.
    if (length >= lengths.shortest && length >= 3 && path[1] < path.back() && g.has_edge(path.back(), path[0]))
      note();
    if (length == lengths.longest) return;
    for (const Node v : g.neighbors(path.back())) {
      if (v <= path[0] || std::find(path.begin(), path.end(), v) != path.end()) continue;
      path.push_back(v);
      extend();
      path.pop_back();
    }
  };
  for (Node v = 0; v < g.num_nodes(); ++v) {
    path = {v};
    extend();
  }
  return counts;
}

}  // namespace twofold::testing
