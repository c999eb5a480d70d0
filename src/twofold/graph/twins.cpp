#include "twofold/graph/twins.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

struct Colored {
  const Graph& g;
  Span<const std::uint32_t> node_colors;
  Span<const std::uint32_t> edge_colors;

  std::uint32_t of_node(Node v) const { return node_colors.empty() ? 0 : node_colors[v]; }
  std::uint32_t of_edge(Node v, std::size_t k) const {
    return edge_colors.empty() ? 0 : edge_colors[g.incident_edges(v)[k]];
  }
};

// Only nodes of equal hash are compared; the sum over neighbors needs every bit mixed (the end of murmur3).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

// Whether u and v have the same neighbors, each of both left out, by edges of the same colors.
bool are_twins(const Colored& of, Node u, Node v) {
  if (of.of_node(u) != of.of_node(v) || of.g.degree(u) != of.g.degree(v)) return false;
  const auto of_u = of.g.neighbors(u);
  const auto of_v = of.g.neighbors(v);
  for (std::size_t i = 0, j = 0;; ++i, ++j) {
    if (i < of_u.size() && of_u[i] == v) ++i;
    if (j < of_v.size() && of_v[j] == u) ++j;
    if (i == of_u.size() || j == of_v.size()) return i == of_u.size() && j == of_v.size();
    if (of_u[i] != of_v[j] || of.of_edge(u, i) != of.of_edge(v, j)) return false;
  }
}

// Puts nodes of equal hash that are twins into one class: leader[v] is the smallest.
void group(const Colored& of, std::vector<std::pair<std::uint64_t, Node>>& hashed, std::vector<Node>& leader) {
  std::sort(hashed.begin(), hashed.end());
  std::vector<Node> leaders;
  for (std::size_t begin = 0; begin < hashed.size();) {
    std::size_t end = begin + 1;
    while (end < hashed.size() && hashed[end].first == hashed[begin].first) ++end;
    leaders.clear();
    for (std::size_t k = begin; end - begin > 1 && k < end; ++k) {
      const Node v = hashed[k].second;
      const auto at = std::find_if(leaders.begin(), leaders.end(), [&](Node u) { return are_twins(of, u, v); });
      if (at == leaders.end())
        leaders.push_back(v);
      else
        leader[v] = *at;
    }
    begin = end;
  }
}

void find_leaders(const Colored& of, std::vector<Node>& leader) {
  // Twins that are not adjacent have the same neighbors; those that are, have them with themselves counted. No
  // node has twins of both kinds. One list at a time: at a million nodes each is 16 MB.
  // Colors of edges are hashed only where no twin's own edge is among them; else leaves that differ by their
  // edges alone would all be compared with each other.
  const auto n = static_cast<Node>(leader.size());
  std::vector<std::pair<std::uint64_t, Node>> hashed(n);
  for (const bool closed : {false, true}) {
    for (Node v = 0; v < n; ++v) {
      std::uint64_t sum = mixed(std::uint64_t{of.of_node(v)} << 32);
      if (closed) sum += mixed(v + std::uint64_t{1});
      const auto neighbors = of.g.neighbors(v);
      for (std::size_t k = 0; k < neighbors.size(); ++k) {
        const std::uint64_t edge = closed ? 0 : of.of_edge(v, k);
        sum += mixed((neighbors[k] + std::uint64_t{1}) ^ (edge << 32));
      }
      hashed[v] = {sum, v};
    }
    group(of, hashed, leader);
  }
}

}  // namespace

Twins find_twins(const Graph& g, Span<const std::uint32_t> node_colors, Span<const std::uint32_t> edge_colors,
                 bool collapse) {
  const auto n = static_cast<Node>(g.num_nodes());
  std::vector<Node> leader(n);
  std::iota(leader.begin(), leader.end(), Node{0});
  if (collapse) find_leaders({g, node_colors, edge_colors}, leader);
  Twins twins;
  twins.class_of.resize(n);
  for (Node v = 0; v < n; ++v) {
    if (leader[v] == v) {
      twins.class_of[v] = static_cast<std::uint32_t>(twins.member.size());
      twins.member.push_back(v);
      twins.other.push_back(v);
      twins.size.push_back(1);
      twins.is_clique.push_back(false);
      continue;
    }
    const std::uint32_t c = twins.class_of[v] = twins.class_of[leader[v]];
    if (twins.size[c]++ == 1) {
      twins.other[c] = v;
      twins.is_clique[c] = g.has_edge(leader[v], v);
    }
  }
  return twins;
}

Graph graph_of_classes(const Graph& g, const Twins& twins) {
  GraphBuilder builder(twins.num_classes());
  for (std::uint32_t a = 0; a < twins.num_classes(); ++a)
    for (const Node u : g.neighbors(twins.member[a])) {
      const std::uint32_t b = twins.class_of[u];
      if (a < b && twins.member[b] == u) builder.add_edge(a, b);
    }
  return std::move(builder).build();
}

}  // namespace twofold::graph
