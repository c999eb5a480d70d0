#include "tests/support/hard_graphs.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "tests/support/named_graphs.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::testing {
namespace {

// graph6 of at most 62 nodes, read here anew so that the reader in src/ is not its own judge.
Graph from_graph6(const std::string& line) {
  const std::size_t n = static_cast<std::size_t>(line.at(0) - 63);
  GraphBuilder builder(n);
  std::size_t bit = 0;
  for (Node v = 1; v < n; ++v)
    for (Node u = 0; u < v; ++u, ++bit)
      if (((line.at(1 + bit / 6) - 63) >> (5 - bit % 6)) & 1) builder.add_edge(u, v);
  return std::move(builder).build();
}

}  // namespace

std::vector<Graph> all_graphs(int n, const std::string& more) {
  std::vector<Graph> graphs;
  const std::string call = " -q " + more + " " + std::to_string(n) + " 2>/dev/null";
  for (const std::string program : {"nauty-geng", "geng"}) {
    FILE* pipe = popen((program + call).c_str(), "r");
    if (pipe == nullptr) continue;
    char line[256];
    while (std::fgets(line, sizeof line, pipe) != nullptr) graphs.push_back(from_graph6(line));
    pclose(pipe);
    if (!graphs.empty()) break;
  }
  return graphs;
}

Graph cfi(const Graph& base, bool twisted) {
  // Inner nodes: (v, even subset of v's edges). Outer nodes: (end of an edge at v, 0 or 1) for both ends.
  // Inner (v, S) is adjacent to (v, e, [e in S]); (u, e, b) to (v, e, b), or b flipped on the twisted edge.
  struct Outer {
    Node v;
    std::size_t edge;
    bool bit;
    bool operator<(const Outer& o) const { return std::tie(v, edge, bit) < std::tie(o.v, o.edge, o.bit); }
  };
  const auto edges = base.edges();
  std::map<Outer, Node> number;
  Node next = 0;
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (const Node v : {edges[e].u, edges[e].v})
      for (const bool bit : {false, true}) number[{v, e, bit}] = next++;
  std::vector<std::pair<Node, Node>> result;
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (const bool bit : {false, true})
      result.emplace_back(number[{edges[e].u, e, bit}], number[{edges[e].v, e, bit != (twisted && e == 0)}]);
  for (Node v = 0; v < base.num_nodes(); ++v) {
    std::vector<std::size_t> at_v;
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (edges[e].u == v || edges[e].v == v) at_v.push_back(e);
    for (unsigned set = 0; set < (1u << at_v.size()); ++set) {
      int size = 0;
      for (std::size_t i = 0; i < at_v.size(); ++i) size += (set >> i) & 1u;
      if (size % 2 != 0) continue;
      const Node inner = next++;
      for (std::size_t i = 0; i < at_v.size(); ++i)
        result.emplace_back(inner, number[{v, at_v[i], ((set >> i) & 1u) != 0}]);
    }
  }
  return from_edges(next, result);
}

Graph random_regular(Random& random, std::size_t n, std::size_t d) {
  // A circulant graph, then random switches ab, cd → ac, bd.
  std::set<std::pair<Node, Node>> edges;
  const auto add = [&](std::size_t u, std::size_t v) {
    edges.emplace(static_cast<Node>(std::min(u, v)), static_cast<Node>(std::max(u, v)));
  };
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t step = 1; step <= d / 2; ++step) add(v, (v + step) % n);
    if (d % 2 != 0) add(v, (v + n / 2) % n);
  }
  std::vector<std::pair<Node, Node>> list(edges.begin(), edges.end());
  for (std::size_t i = 0; i < 20 * list.size(); ++i) {
    auto& [a, b] = list[random.below(list.size())];
    auto& [c, e] = list[random.below(list.size())];
    if (a == c || a == e || b == c || b == e) continue;
    const std::pair<Node, Node> first = {std::min(a, c), std::max(a, c)};
    const std::pair<Node, Node> second = {std::min(b, e), std::max(b, e)};
    if (edges.count(first) || edges.count(second)) continue;
    edges.erase({a, b});
    edges.erase({c, e});
    edges.insert(first);
    edges.insert(second);
    std::tie(a, b) = first;
    std::tie(c, e) = second;
  }
  return from_edges(n, list);
}

Graph random_decorated(Random& random, std::size_t n, double p) {
  const bool node_labels = random.chance(0.5);
  const bool edge_labels = random.chance(0.5);
  const bool loops = random.chance(0.3);
  GraphBuilder builder(n);
  std::vector<Label> labels;
  for (Node v = 0; v < n; ++v)
    for (Node u = 0; u <= v; ++u) {
      if (u == v && !loops) continue;
      if (!random.chance(u == v ? 0.3 : p)) continue;
      builder.add_edge(u, v);
      labels.push_back(static_cast<Label>(random.below(2)));
    }
  if (edge_labels) builder.set_edge_labels(labels);
  if (node_labels) {
    std::vector<Label> of_nodes(n);
    for (Label& label : of_nodes) label = static_cast<Label>(random.below(2)) - 1;
    builder.set_node_labels(of_nodes);
  }
  return std::move(builder).build();
}

std::size_t count_cycles(const Graph& g, std::size_t length) {
  std::size_t found = 0;
  std::vector<Node> path;
  const std::function<void()> extend = [&] {
    if (path.size() == length) {
      found += g.has_edge(path.back(), path.front());
      return;
    }
    for (const Node v : g.neighbors(path.back())) {
      if (v <= path.front() || std::find(path.begin(), path.end(), v) != path.end()) continue;
      path.push_back(v);
      extend();
      path.pop_back();
    }
  };
  for (Node v = 0; v < g.num_nodes(); ++v) {
    path = {v};
    extend();
  }
  return found / 2;  // each was walked in both directions
}

}  // namespace twofold::testing
