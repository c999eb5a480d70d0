#include "tests/support/named_graphs.h"

#include <numeric>

#include "twofold/graph/graph_builder.h"

namespace twofold::testing {

Graph from_edges(std::size_t n, const std::vector<std::pair<Node, Node>>& edges) {
  GraphBuilder builder(n);
  for (const auto& [u, v] : edges) builder.add_edge(u, v);
  return std::move(builder).build();
}

Graph empty_graph(std::size_t n) { return from_edges(n, {}); }

Graph cycle(std::size_t n) {
  GraphBuilder builder(n);
  for (Node v = 0; v < n; ++v) builder.add_edge(v, static_cast<Node>((v + 1) % n));
  return std::move(builder).build();
}

Graph path(std::size_t n) {
  GraphBuilder builder(n);
  for (Node v = 1; v < n; ++v) builder.add_edge(v - 1, v);
  return std::move(builder).build();
}

Graph complete(std::size_t n) {
  GraphBuilder builder(n);
  for (Node u = 0; u < n; ++u)
    for (Node v = 0; v < u; ++v) builder.add_edge(u, v);
  return std::move(builder).build();
}

Graph star(std::size_t leaves) {
  GraphBuilder builder(leaves + 1);
  for (Node v = 1; v <= leaves; ++v) builder.add_edge(0, v);
  return std::move(builder).build();
}

Graph two_triangles() { return from_edges(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}); }

Graph petersen() {
  return from_edges(10, {{0, 1},
                         {1, 2},
                         {2, 3},
                         {3, 4},
                         {4, 0},
                         {0, 5},
                         {1, 6},
                         {2, 7},
                         {3, 8},
                         {4, 9},
                         {5, 7},
                         {7, 9},
                         {9, 6},
                         {6, 8},
                         {8, 5}});
}

Graph decalin() {
  return from_edges(10,
                    {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 4}});
}

Graph bicyclopentyl() {
  return from_edges(10,
                    {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 5}, {0, 5}});
}

Graph rook_4x4() {
  GraphBuilder builder(16);
  for (Node u = 0; u < 16; ++u)
    for (Node v = 0; v < u; ++v)
      if (u / 4 == v / 4 || u % 4 == v % 4) builder.add_edge(u, v);
  return std::move(builder).build();
}

Graph shrikhande() {
  // Z4 × Z4; two points are adjacent iff they differ by ±(0,1), ±(1,0) or ±(1,1).
  GraphBuilder builder(16);
  for (Node v = 0; v < 16; ++v) {
    const Node x = v / 4;
    const Node y = v % 4;
    builder.add_edge(v, x * 4 + (y + 1) % 4);
    builder.add_edge(v, (x + 1) % 4 * 4 + y);
    builder.add_edge(v, (x + 1) % 4 * 4 + (y + 1) % 4);
  }
  return std::move(builder).build();
}

Graph random_graph(Random& random, std::size_t n, double p, Label labels) {
  GraphBuilder builder(n);
  for (Node u = 0; u < n; ++u)
    for (Node v = 0; v < u; ++v)
      if (random.chance(p)) builder.add_edge(u, v);
  if (labels > 0) {
    std::vector<Label> label(n);
    for (Label& l : label) l = static_cast<Label>(random.below(static_cast<std::uint64_t>(labels)));
    builder.set_node_labels(std::move(label));
  }
  return std::move(builder).build();
}

Graph shuffled(const Graph& g, Random& random) {
  std::vector<Node> names(g.num_nodes());
  std::iota(names.begin(), names.end(), Node{0});
  random.shuffle(names);
  return relabeled(g, names);
}

}  // namespace twofold::testing
