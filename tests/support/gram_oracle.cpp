#include "tests/support/gram_oracle.h"

#include <algorithm>
#include <map>
#include <string>

namespace twofold::testing {
namespace {

using Signature = std::vector<long>;
using Table = std::map<Signature, long>;

long number_of(Table& table, const Signature& signature) {
  return table.emplace(signature, static_cast<long>(table.size())).first->second;
}

// The label of an edge, a self-loop for u == v.
long edge_label(const Graph& g, Node u, Node v) {
  std::size_t at = g.num_edges();
  if (u == v) {
    for (const Node w : g.self_loops()) {
      if (w == v) return g.edge_labels()[at];
      ++at;
    }
  }
  const auto edges = g.edges();
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (edges[e] == Edge{std::min(u, v), std::max(u, v)}) return g.edge_labels()[e];
  return -1;
}

bool adjacent(const Graph& g, Node u, Node v) { return u == v ? g.has_self_loop(u) : g.has_edge(u, v); }

// colors[g][v] of one round, for all graphs with one table.
using Colors = std::vector<std::vector<long>>;

Colors vertex_start(const std::vector<Graph>& graphs) {
  Table table;
  Colors colors;
  for (const Graph& g : graphs) {
    colors.emplace_back();
    for (Node v = 0; v < g.num_nodes(); ++v)
      colors.back().push_back(
          number_of(table, g.has_node_labels() ? Signature{g.node_labels()[v]} : Signature{}));
  }
  return colors;
}

Colors vertex_round(const std::vector<Graph>& graphs, const Colors& before, bool edge_labels) {
  Table table;
  Colors colors;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const Graph& g = graphs[i];
    const bool labeled = edge_labels && g.has_edge_labels();
    colors.emplace_back();
    for (Node v = 0; v < g.num_nodes(); ++v) {
      std::vector<std::pair<long, long>> around;
      for (Node u = 0; u < g.num_nodes(); ++u)
        if (adjacent(g, u, v)) around.emplace_back(before[i][u], labeled ? edge_label(g, u, v) : 0);
      std::sort(around.begin(), around.end());
      Signature signature = {before[i][v], labeled ? 1 : 0};
      for (const auto& [color, label] : around) signature.insert(signature.end(), {color, label});
      colors.back().push_back(number_of(table, signature));
    }
  }
  return colors;
}

// n where there is no path (Floyd and Warshall).
std::vector<std::vector<std::size_t>> distances(const Graph& g) {
  const std::size_t n = g.num_nodes();
  std::vector<std::vector<std::size_t>> d(n, std::vector<std::size_t>(n, n));
  for (Node u = 0; u < n; ++u)
    for (Node v = 0; v < n; ++v) d[u][v] = u == v ? 0 : g.has_edge(u, v) ? 1 : n;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v) d[u][v] = std::min(d[u][v], d[u][k] + d[k][v]);
  return d;
}

// colors[g][i * n + j] of ordered pairs i != j; both orders get the same.
Colors set_start(const std::vector<Graph>& graphs, bool edge_labels) {
  Table table;
  Colors colors;
  for (const Graph& g : graphs) {
    const auto n = static_cast<Node>(g.num_nodes());
    colors.emplace_back(std::size_t{n} * n, -1);
    for (Node i = 0; i < n; ++i)
      for (Node j = 0; j < n; ++j) {
        if (i == j) continue;
        Signature signature;
        if (g.has_node_labels()) signature = {g.node_labels()[i], g.node_labels()[j]};
        std::sort(signature.begin(), signature.end());
        signature.push_back(g.has_edge(i, j));
        if (g.has_edge(i, j) && edge_labels && g.has_edge_labels()) signature.push_back(edge_label(g, i, j));
        colors.back()[i * n + j] = number_of(table, signature);
      }
  }
  return colors;
}

Colors set_round(const std::vector<Graph>& graphs, const Colors& before, bool local) {
  Table table;
  Colors colors;
  for (std::size_t at = 0; at < graphs.size(); ++at) {
    const Graph& g = graphs[at];
    const auto n = static_cast<Node>(g.num_nodes());
    colors.emplace_back(std::size_t{n} * n, -1);
    for (Node i = 0; i < n; ++i)
      for (Node j = 0; j < n; ++j) {
        if (i == j) continue;
        Signature around;
        for (Node k = 0; k < n; ++k) {
          if (k == i || k == j) continue;
          if (!local || g.has_edge(i, k)) around.push_back(before[at][k * n + j]);  // i out, k in
          if (!local || g.has_edge(j, k)) around.push_back(before[at][i * n + k]);  // j out, k in
        }
        std::sort(around.begin(), around.end());
        around.insert(around.begin(), before[at][i * n + j]);
        colors.back()[i * n + j] = number_of(table, around);
      }
  }
  return colors;
}

// colors[g][i * n + j] of ordered pairs within the radius, loops too; -1 elsewhere.
Colors row_start(const std::vector<Graph>& graphs, const gram::Kernel& kernel) {
  Table table;
  Colors colors;
  for (const Graph& g : graphs) {
    const auto n = static_cast<Node>(g.num_nodes());
    const auto d = distances(g);
    const bool labeled = kernel.edge_labels && g.has_edge_labels();
    colors.emplace_back(std::size_t{n} * n, -1);
    for (Node i = 0; i < n; ++i)
      for (Node j = 0; j < n; ++j) {
        if (!kernel.radius.is_all() && (d[i][j] == n || d[i][j] > kernel.radius.steps()) && i != j) continue;
        Signature signature = {i == j ? 0 : adjacent(g, i, j) ? 1 : 2};
        if (i == j) {
          signature.push_back(g.has_node_labels());
          signature.push_back(g.has_node_labels() ? g.node_labels()[i] : 0);
          signature.push_back(g.has_self_loop(i));
        }
        if (adjacent(g, i, j) && labeled) signature.push_back(edge_label(g, i, j));
        colors.back()[i * n + j] = number_of(table, signature);
      }
  }
  return colors;
}

Colors row_round(const std::vector<Graph>& graphs, const Colors& before) {
  Table table;
  Colors colors;
  for (std::size_t at = 0; at < graphs.size(); ++at) {
    const auto n = static_cast<Node>(graphs[at].num_nodes());
    colors.emplace_back(std::size_t{n} * n, -1);
    for (Node i = 0; i < n; ++i)
      for (Node j = 0; j < n; ++j) {
        if (before[at][i * n + j] < 0) continue;
        std::vector<std::pair<long, long>> around;
        for (Node l = 0; l < n; ++l) {
          const long x = before[at][i * n + l], y = before[at][l * n + j];
          if (x >= 0 && y >= 0) around.emplace_back(std::min(x, y), std::max(x, y));
        }
        std::sort(around.begin(), around.end());
        Signature signature = {before[at][i * n + j]};
        for (const auto& [x, y] : around) signature.insert(signature.end(), {x, y});
        colors.back()[i * n + j] = number_of(table, signature);
      }
  }
  return colors;
}

}  // namespace

std::vector<std::vector<std::int64_t>> oracle_features(const std::vector<Graph>& graphs,
                                                       const gram::Kernel& kernel) {
  const bool on_sets =
      kernel.kind == gram::KernelKind::kLocalSets || kernel.kind == gram::KernelKind::kGlobalSets;
  const bool on_rows = kernel.kind == gram::KernelKind::kRows;
  Table features;
  std::vector<std::map<long, std::int64_t>> counts(graphs.size());
  Colors colors = on_rows   ? row_start(graphs, kernel)
                  : on_sets ? set_start(graphs, kernel.edge_labels)
                            : vertex_start(graphs);
  for (long t = 0; t <= kernel.iterations; ++t) {
    if (t > 0)
      colors = on_rows   ? row_round(graphs, colors)
               : on_sets ? set_round(graphs, colors, kernel.kind == gram::KernelKind::kLocalSets)
                         : vertex_round(graphs, colors, kernel.edge_labels);
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      const std::size_t n = graphs[i].num_nodes();
      if (kernel.kind == gram::KernelKind::kWlSubtree) {
        for (std::size_t v = 0; v < n; ++v) ++counts[i][number_of(features, {t, colors[i][v]})];
      } else if (on_rows) {
        for (std::size_t u = 0; u < n; ++u)
          for (std::size_t v = u; v < n; ++v)
            if (colors[i][u * n + v] >= 0) ++counts[i][number_of(features, {t, colors[i][u * n + v]})];
      } else if (on_sets) {
        for (std::size_t u = 0; u < n; ++u)
          for (std::size_t v = u + 1; v < n; ++v) ++counts[i][number_of(features, {t, colors[i][u * n + v]})];
      } else {
        const auto d = distances(graphs[i]);
        for (std::size_t u = 0; u < n; ++u)
          for (std::size_t v = 0; v < n; ++v)
            if (u != v && d[u][v] < n)
              ++counts[i][number_of(features, {t, colors[i][u], colors[i][v], static_cast<long>(d[u][v])})];
      }
    }
  }
  std::vector<std::vector<std::int64_t>> table(graphs.size(), std::vector<std::int64_t>(features.size(), 0));
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (const auto& [feature, count] : counts[i]) table[i][static_cast<std::size_t>(feature)] = count;
  return table;
}

gram::GramMatrix oracle_gram(const std::vector<Graph>& graphs, const gram::Kernel& kernel) {
  const auto features = oracle_features(graphs, kernel);
  gram::GramMatrix matrix;
  matrix.size = graphs.size();
  for (const auto& x : features)
    for (const auto& y : features) {
      std::int64_t sum = 0;
      for (std::size_t f = 0; f < x.size(); ++f)
        sum += kernel.combine == gram::Combine::kProduct ? x[f] * y[f] : std::min(x[f], y[f]);
      matrix.values.push_back(sum);
    }
  return matrix;
}

}  // namespace twofold::testing
