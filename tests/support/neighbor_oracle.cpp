#include "tests/support/neighbor_oracle.h"

#include <algorithm>
#include <numeric>

namespace twofold::testing {
namespace {

using Values = std::vector<std::uint64_t>;

// Whole numbers modulo 2^64, so that every order of adding gives the same.
std::uint64_t next_value(std::uint64_t own, std::uint64_t start, std::uint64_t sum) {
  const std::uint64_t x = 3 * own + 5 * start + sum;
  return x * x + 7 * x;
}

std::uint64_t node_value(const Graph& g, Node v) {
  std::uint64_t value = 11;
  if (g.has_node_labels()) value = value * 1000003 + static_cast<std::uint32_t>(g.node_labels()[v]);
  for (const double x : g.node_attributes(v))
    value =
        value * 1000003 + static_cast<std::uint64_t>(static_cast<std::int64_t>(1000 * static_cast<float>(x)));
  return value;
}

std::uint64_t degree_of(const Graph& g, Node v, bool self_loops) {
  return g.degree(v) + (self_loops && g.has_self_loop(v));
}

std::uint64_t start_value(const levels::InitialRow& row, Span<const Graph> graphs) {
  const Graph& g = graphs[row.graph];
  if (row.u == row.v) return node_value(g, row.u);
  if (!g.has_edge_labels()) return 77;
  const auto edges = g.edges();
  const auto at = std::find(edges.begin(), edges.end(), Edge{row.u, row.v}) - edges.begin();
  return 77 + static_cast<std::uint32_t>(g.edge_labels()[static_cast<std::size_t>(at)]);
}

}  // namespace

std::uint64_t plain_vertex_sum(const Graph& g, int rounds, bool self_loops, bool degrees) {
  Values start(g.num_nodes());
  for (Node v = 0; v < start.size(); ++v) start[v] = node_value(g, v);
  Values z = start;
  for (int round = 0; round < rounds; ++round) {
    Values next(z.size());
    for (Node v = 0; v < z.size(); ++v) {
      std::uint64_t sum = 0;
      for (Node u = 0; u < z.size(); ++u) {
        if (!(u == v ? self_loops && g.has_self_loop(v) : g.has_edge(u, v))) continue;
        sum += z[u] * (degrees ? degree_of(g, u, self_loops) * degree_of(g, v, self_loops) : 1);
      }
      next[v] = next_value(z[v], start[v], sum);
    }
    z = next;
  }
  return std::accumulate(z.begin(), z.end(), std::uint64_t{0});
}

std::uint64_t plain_edge_sum(const Graph& g, int rounds, bool loops_only) {
  std::vector<Edge> rows;
  Values start;
  for (Node v = 0; v < g.num_nodes(); ++v) {
    rows.push_back({v, v});
    start.push_back(node_value(g, v));
  }
  std::size_t number = 0;
  for (const Edge e : g.edges()) {
    rows.push_back(e);
    start.push_back(g.has_edge_labels() ? 77 + static_cast<std::uint32_t>(g.edge_labels()[number]) : 77);
    ++number;
  }
  Values z = start;
  for (int round = 0; round < rounds; ++round) {
    Values next(z.size());
    for (std::size_t f = 0; f < z.size(); ++f) {
      std::uint64_t sum = 0;
      for (std::size_t other = 0; other < z.size(); ++other) {
        const Edge a = rows[f], b = rows[other];
        if (other != f && (a.u == b.u || a.u == b.v || a.v == b.u || a.v == b.v)) sum += z[other];
      }
      next[f] = next_value(z[f], start[f], sum);
    }
    z = next;
  }
  const auto end = loops_only ? z.begin() + static_cast<std::ptrdiff_t>(g.num_nodes()) : z.end();
  return std::accumulate(z.begin(), end, std::uint64_t{0});
}

std::vector<Values> neighbor_values(const levels::BatchLevels<pairs::Row>& batch,
                                    const levels::NeighborLevels& levels, Span<const Graph> graphs,
                                    bool self_loops, bool degrees) {
  Values start, degree;
  for (const pairs::Row row : batch.rows[0]) {
    const levels::InitialRow& initial = levels.initial[row];
    start.push_back(start_value(initial, graphs));
    degree.push_back(degrees ? degree_of(graphs[initial.graph], initial.u, self_loops) : 1);
  }
  std::vector<Values> z = {start};
  for (std::size_t k = 1; k < batch.rows.size(); ++k) {
    const pairs::LevelOf<pairs::Row>& level = batch.levels[k - 1];
    Values next(level.num_rows());
    for (std::size_t row = 0; row < next.size(); ++row) {
      std::uint64_t sum = 0;
      const bool is_edges = batch.levels_per_round == 2;
      for (std::uint64_t at = level.offsets[row]; at < level.offsets[row + 1]; ++at) {
        const pairs::Row source = level.items[at];
        std::uint64_t value = z[k - 1][source];
        if (is_edges && k % 2 == 0) value -= z[k - 2][level.own[row]];
        if (degrees) value *= degree[batch.origins[k - 1][source]] * degree[batch.origins[k][row]];
        sum += level.multiplicity[at] * value;
      }
      if (is_edges && k % 2 == 1)
        next[row] = sum;
      else
        next[row] = next_value(z[k - (is_edges ? 2 : 1)][level.own[row]], start[batch.origins[k][row]], sum);
    }
    z.push_back(next);
  }
  return z;
}

}  // namespace twofold::testing
