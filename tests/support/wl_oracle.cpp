#include "tests/support/wl_oracle.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace twofold::testing {
namespace {

using wl::Kind;
using wl::WlTest;
using Signature = std::vector<std::vector<long>>;
using Marks = std::vector<int>;  // one per node, 0 for none

struct Marked {
  const Graph* graph;
  Marks marks;
};

std::vector<long> node_start(const Marked& m, Node v) {
  const Graph& g = *m.graph;
  std::vector<long> start = {m.marks[v], g.has_node_labels(), g.has_node_labels() ? g.node_labels()[v] : 0,
                             g.has_self_loop(v)};
  if (g.has_self_loop(v) && g.has_edge_labels())
    for (std::size_t i = 0; i < g.num_self_loops(); ++i)
      if (g.self_loops()[i] == v) start.push_back(g.edge_labels()[g.num_edges() + i]);
  return start;
}

// {} for no edge, {1} or {1, label} for an edge; in a directed graph {number of arcs from u to v, from v to u}
// and the label.
std::vector<long> edge_start(const Graph& g, Node u, Node v) {
  if (!g.has_edge(u, v)) return {};
  if (g.is_directed()) {
    std::vector<long> start = {0, 0};
    for (const Edge arc : g.arcs()) {
      start[0] += arc == (Edge{u, v});
      start[1] += arc == (Edge{v, u});
    }
    const auto edges = g.edges();
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (g.has_edge_labels() && edges[e] == (Edge{std::min(u, v), std::max(u, v)}))
        start.push_back(g.edge_labels()[e]);
    return start;
  }
  if (!g.has_edge_labels()) return {1};
  const auto edges = g.edges();
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (edges[e] == (Edge{std::min(u, v), std::max(u, v)})) return {1, g.edge_labels()[e]};
  return {};
}

std::vector<std::vector<int>> distances(const Graph& g) {
  const std::size_t n = g.num_nodes();
  const int far = static_cast<int>(n) + 1;
  std::vector<std::vector<int>> d(n, std::vector<int>(n, far));
  for (std::size_t u = 0; u < n; ++u) {
    d[u][u] = 0;
    for (const Node v : g.neighbors(static_cast<Node>(u))) d[u][v] = 1;
  }
  for (std::size_t w = 0; w < n; ++w)
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v) d[u][v] = std::min(d[u][v], d[u][w] + d[w][v]);
  return d;
}

// One graph's objects: their initial signatures, and for each the multiset around it as tuples of objects;
// `ordered` says whether such a tuple of colors is kept in order.
struct System {
  std::vector<Signature> start;
  std::vector<std::vector<std::vector<std::size_t>>> around;
  std::vector<std::vector<std::vector<long>>>
      extra;  // parallel to around: what else an item carries (edge labels)
  bool ordered = true;
};

System vertex_system(const Marked& m) {
  const Graph& g = *m.graph;
  System s;
  for (Node v = 0; v < g.num_nodes(); ++v) {
    s.start.push_back({node_start(m, v)});
    s.around.emplace_back();
    s.extra.emplace_back();
    for (const Node u : g.neighbors(v)) {
      s.around.back().push_back({u});
      s.extra.back().push_back(edge_start(g, v, u));
    }
  }
  return s;
}

System tuple_system(const Marked& m, int k) {
  const Graph& g = *m.graph;
  const std::size_t n = g.num_nodes();
  std::size_t size = 1;
  for (int j = 0; j < k; ++j) size *= n;
  System s;
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<std::size_t> tuple(static_cast<std::size_t>(k));
    std::size_t rest = i;
    for (auto at = tuple.rbegin(); at != tuple.rend(); ++at, rest /= n) *at = rest % n;
    const auto number = [&](const std::vector<std::size_t>& t) {
      std::size_t result = 0;
      for (const std::size_t v : t) result = result * n + v;
      return result;
    };
    Signature start;
    for (const std::size_t u : tuple) start.push_back(node_start(m, static_cast<Node>(u)));
    for (const std::size_t u : tuple)
      for (const std::size_t v : tuple) {
        start.push_back({u == v});
        start.push_back(edge_start(g, static_cast<Node>(u), static_cast<Node>(v)));
      }
    s.start.push_back(start);
    s.around.emplace_back();
    for (std::size_t w = 0; w < n; ++w) {
      std::vector<std::size_t> item;
      for (std::size_t j = 0; j < tuple.size(); ++j) {
        auto changed = tuple;
        changed[j] = w;
        item.push_back(number(changed));
      }
      s.around.back().push_back(item);
    }
  }
  return s;
}

std::vector<std::pair<Node, Node>> rows_of(const Graph& g, graph::PowerRadius radius) {
  const auto d = distances(g);
  std::vector<std::pair<Node, Node>> rows;
  for (Node i = 0; i < g.num_nodes(); ++i)
    for (Node j = g.is_directed() ? 0 : i; j < g.num_nodes(); ++j)
      if (radius.is_all() ||
          (d[i][j] <= static_cast<int>(radius.steps()) && d[i][j] <= static_cast<int>(g.num_nodes())))
        rows.emplace_back(i, j);
  return rows;
}

Signature row_start(const Marked& m, Node i, Node j) {
  if (i == j) return {{0}, node_start(m, i)};
  return {{1}, edge_start(*m.graph, i, j)};
}

System row_system(const Marked& m, graph::PowerRadius radius) {
  const auto rows = rows_of(*m.graph, radius);
  std::map<std::pair<Node, Node>, std::size_t> number;
  for (std::size_t r = 0; r < rows.size(); ++r) number[rows[r]] = r;
  System s;
  const bool is_directed = m.graph->is_directed();
  s.ordered = is_directed;
  for (const auto& [i, j] : rows) {
    s.start.push_back(row_start(m, i, j));
    s.around.emplace_back();
    for (Node l = 0; l < m.graph->num_nodes(); ++l) {
      const auto a = number.find(is_directed ? std::pair(i, l) : std::pair(std::min(i, l), std::max(i, l)));
      const auto b = number.find(is_directed ? std::pair(l, j) : std::pair(std::min(j, l), std::max(j, l)));
      if (a != number.end() && b != number.end()) s.around.back().push_back({a->second, b->second});
    }
  }
  return s;
}

System edge_system(const Marked& m) {
  const auto rows = rows_of(*m.graph, 1);
  System s;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    s.start.push_back(row_start(m, rows[a].first, rows[a].second));
    s.around.emplace_back();
    const std::set<Node> here = {rows[a].first, rows[a].second};
    for (std::size_t b = 0; b < rows.size(); ++b)
      if (a != b && (here.count(rows[b].first) || here.count(rows[b].second))) s.around.back().push_back({b});
  }
  return s;
}

System make_system(const Marked& m, const WlTest& test) {
  switch (test.kind) {
    case Kind::kVertices:
      return vertex_system(m);
    case Kind::kTuples:
      return tuple_system(m, test.k);
    case Kind::kRows:
      return row_system(m, test.radius);
    case Kind::kEdges:
      return edge_system(m);
  }
  return {};
}

std::vector<std::vector<int>> number_signatures(const std::vector<std::vector<Signature>>& signatures,
                                                std::size_t& num_colors) {
  std::map<Signature, int> number;
  std::vector<std::vector<int>> colors;
  for (const auto& of_graph : signatures) {
    colors.emplace_back();
    for (const Signature& s : of_graph)
      colors.back().push_back(number.emplace(s, static_cast<int>(number.size())).first->second);
  }
  num_colors = number.size();
  return colors;
}

std::vector<std::vector<int>> refine_all(const std::vector<Marked>& graphs, const WlTest& test,
                                         int max_rounds) {
  std::vector<System> systems;
  std::vector<std::vector<Signature>> signatures;
  for (const Marked& m : graphs) {
    systems.push_back(make_system(m, test));
    signatures.push_back(systems.back().start);
  }
  std::size_t num_colors = 0;
  auto colors = number_signatures(signatures, num_colors);
  for (int round = 0; max_rounds < 0 || round < max_rounds; ++round) {
    for (std::size_t g = 0; g < systems.size(); ++g)
      for (std::size_t i = 0; i < systems[g].start.size(); ++i) {
        Signature& s = signatures[g][i];
        s.clear();
        for (std::size_t at = 0; at < systems[g].around[i].size(); ++at) {
          std::vector<long> item;
          for (const std::size_t object : systems[g].around[i][at]) item.push_back(colors[g][object]);
          if (!systems[g].ordered) std::sort(item.begin(), item.end());
          if (!systems[g].extra.empty())
            item.insert(item.end(), systems[g].extra[i][at].begin(), systems[g].extra[i][at].end());
          s.push_back(item);
        }
        std::sort(s.begin(), s.end());
        s.insert(s.begin(), {colors[g][i]});
      }
    const std::size_t before = num_colors;
    colors = number_signatures(signatures, num_colors);
    if (num_colors == before && max_rounds < 0) break;
  }
  return colors;
}

std::vector<Marks> all_marks(std::size_t n, int marks) {
  std::vector<Marks> result = {Marks(n, 0)};
  for (int m = 1; m <= marks; ++m) {
    std::vector<Marks> next;
    for (const Marks& before : result)
      for (std::size_t v = 0; v < n; ++v)
        if (before[v] == 0) {
          next.push_back(before);
          next.back()[v] = m;
        }
    result = next;
  }
  return result;
}

}  // namespace

std::vector<std::vector<int>> wl_oracle_colors(const std::vector<Graph>& graphs, const WlTest& test,
                                               int max_rounds) {
  std::vector<Marked> marked;
  for (const Graph& g : graphs) marked.push_back({&g, Marks(g.num_nodes(), 0)});
  return refine_all(marked, test, max_rounds);
}

std::vector<std::size_t> wl_oracle_classes(const std::vector<Graph>& graphs, const WlTest& test) {
  std::vector<Marked> marked;
  std::vector<std::size_t> graph_of;
  for (std::size_t g = 0; g < graphs.size(); ++g)
    for (const Marks& marks : all_marks(graphs[g].num_nodes(), test.marks)) {
      marked.push_back({&graphs[g], marks});
      graph_of.push_back(g);
    }
  auto colors = refine_all(marked, test, -1);
  std::vector<std::vector<std::vector<int>>> keys(graphs.size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    std::sort(colors[i].begin(), colors[i].end());
    keys[graph_of[i]].push_back(colors[i]);
  }
  std::map<std::vector<std::vector<int>>, std::size_t> number;
  std::vector<std::size_t> classes;
  for (auto& key : keys) {
    std::sort(key.begin(), key.end());
    classes.push_back(number.emplace(key, number.size()).first->second);
  }
  return classes;
}

bool wl_oracle_distinguishes(const WlTest& test, const Graph& a, const Graph& b) {
  return wl_oracle_classes({a, b}, test).back() == 1;
}

}  // namespace twofold::testing
