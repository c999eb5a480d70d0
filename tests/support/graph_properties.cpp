#include "tests/support/graph_properties.h"

#include <algorithm>
#include <numeric>

#include "twofold/graph/graph_builder.h"

namespace twofold::testing {
namespace {

std::vector<std::size_t> distances_from(const Graph& g, Node start) {
  std::vector<std::size_t> distance(g.num_nodes(), g.num_nodes());
  std::vector<Node> queue = {start};
  distance[start] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Node v : g.neighbors(queue[i]))
      if (distance[v] == g.num_nodes()) {
        distance[v] = distance[queue[i]] + 1;
        queue.push_back(v);
      }
  return distance;
}

Graph without_edge(const Graph& g, Edge removed) {
  GraphBuilder builder(g.num_nodes());
  for (const Edge e : g.edges())
    if (!(e == removed)) builder.add_edge(e.u, e.v);
  return std::move(builder).build();
}

}  // namespace

std::optional<std::size_t> regular_degree(const Graph& g) {
  if (g.num_nodes() == 0) return std::nullopt;
  for (Node v = 1; v < g.num_nodes(); ++v)
    if (g.degree(v) != g.degree(0)) return std::nullopt;
  return g.degree(0);
}

std::size_t num_components(const Graph& g) {
  std::vector<Node> root(g.num_nodes());
  std::iota(root.begin(), root.end(), Node{0});
  const auto find = [&](Node v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  std::size_t count = g.num_nodes();
  for (const Edge e : g.edges()) {
    const Node a = find(e.u);
    const Node b = find(e.v);
    if (a != b) --count;
    root[a] = b;
  }
  return count;
}

bool operator==(const StronglyRegularParameters& a, const StronglyRegularParameters& b) {
  return a.v == b.v && a.k == b.k && a.lambda == b.lambda && a.mu == b.mu;
}

std::optional<StronglyRegularParameters> strongly_regular_parameters(const Graph& g) {
  const std::size_t n = g.num_nodes();
  const auto k = regular_degree(g);
  if (!k || *k == 0 || *k + 1 == n) return std::nullopt;
  std::optional<std::size_t> common[2];
  for (Node u = 0; u < n; ++u)
    for (Node v = 0; v < u; ++v) {
      std::size_t count = 0;
      for (Node w = 0; w < n; ++w) count += g.has_edge(u, w) && g.has_edge(v, w);
      auto& expected = common[g.has_edge(u, v)];
      if (expected && *expected != count) return std::nullopt;
      expected = count;
    }
  return StronglyRegularParameters{n, *k, common[1].value(), common[0].value()};
}

std::vector<std::size_t> distance_histogram(const Graph& g) {
  std::vector<std::size_t> histogram(g.num_nodes() + 1);
  for (Node v = 0; v < g.num_nodes(); ++v)
    for (const std::size_t d : distances_from(g, v)) ++histogram[d];
  return histogram;
}

PowerSize power_size(const Graph& g, std::size_t r) {
  const std::size_t n = g.num_nodes();
  std::vector<std::vector<Node>> ball(n);
  for (Node v = 0; v < n; ++v) {
    const auto distance = distances_from(g, v);
    for (Node u = 0; u < n; ++u)
      if (distance[u] <= r && distance[u] < n) ball[v].push_back(u);
  }
  PowerSize size;
  for (Node i = 0; i < n; ++i)
    for (const Node j : ball[i]) {
      if (j < i) continue;
      ++size.rows;
      for (const Node l : ball[i]) size.triples += std::binary_search(ball[j].begin(), ball[j].end(), l);
    }
  return size;
}

std::vector<std::vector<Node>> triangles(const Graph& g) {
  std::vector<std::vector<Node>> result;
  for (Node u = 0; u < g.num_nodes(); ++u)
    for (Node v = u + 1; v < g.num_nodes(); ++v)
      for (Node w = v + 1; w < g.num_nodes(); ++w)
        if (g.has_edge(u, v) && g.has_edge(v, w) && g.has_edge(u, w)) result.push_back({u, v, w});
  return result;
}

std::vector<std::uint64_t> closed_walks(const Graph& g, std::size_t max_length) {
  std::vector<std::uint64_t> count(max_length + 1);
  for (Node start = 0; start < g.num_nodes(); ++start) {
    std::vector<std::uint64_t> walks(g.num_nodes());
    walks[start] = 1;
    for (std::size_t length = 0; length <= max_length; ++length) {
      count[length] += walks[start];
      std::vector<std::uint64_t> longer(g.num_nodes());
      for (Node v = 0; v < g.num_nodes(); ++v)
        for (const Node u : g.neighbors(v)) longer[u] += walks[v];
      walks = std::move(longer);
    }
  }
  return count;
}

bool has_fused_rings(const Graph& g) {
  const auto connected = [](const Graph& h, Edge e) { return distances_from(h, e.u)[e.v] < h.num_nodes(); };
  for (const Edge e : g.edges()) {
    const Graph rest = without_edge(g, e);
    if (!connected(rest, e)) continue;
    // Walk a shortest path from one end to the other; a second path leaves out one of its edges.
    const auto distance = distances_from(rest, e.u);
    for (Node v = e.v; v != e.u;) {
      Node before = v;
      for (const Node u : rest.neighbors(v))
        if (distance[u] + 1 == distance[v]) before = u;
      if (connected(without_edge(rest, {std::min(before, v), std::max(before, v)}), e)) return true;
      v = before;
    }
  }
  return false;
}

}  // namespace twofold::testing
