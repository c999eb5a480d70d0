#include "twofold/wl/graph_power.h"

#include <algorithm>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/wl/objects.h"

namespace twofold::wl {
namespace {

// Appends the nodes at distance <= radius from v, v first. seen_from[u] is v for those afterwards; no other
// call may have been made for v.
void add_ball(const Graph& graph, int radius, Node v, std::vector<Node>& seen_from, std::vector<Node>& nodes) {
  std::size_t layer = nodes.size();
  nodes.push_back(v);
  seen_from[v] = v;
  for (int distance = 0; distance < radius; ++distance) {
    const std::size_t layer_end = nodes.size();
    if (layer == layer_end) break;
    for (; layer < layer_end; ++layer)
      for (const Node u : graph.neighbors(nodes[layer])) {
        if (seen_from[u] == v) continue;
        seen_from[u] = v;
        nodes.push_back(u);
      }
  }
}

// Fills offsets and nodes.
void find_balls(const Graph& graph, int radius, GraphPower& power) {
  const std::size_t n = graph.num_nodes();
  std::vector<Node> seen_from(n, static_cast<Node>(n));
  for (Node v = 0; v < n; ++v) {
    const std::size_t first = power.nodes.size();
    add_ball(graph, radius, v, seen_from, power.nodes);
    std::sort(power.nodes.begin() + static_cast<std::ptrdiff_t>(first), power.nodes.end());
    power.offsets.push_back(power.nodes.size());
  }
}

}  // namespace

GraphPower graph_power(const Graph& graph, int radius) {
  const std::size_t n = graph.num_nodes();
  GraphPower power;
  find_balls(graph, radius, power);
  power.num_rows = (power.nodes.size() + n) / 2;
  if (power.num_rows > std::numeric_limits<std::uint32_t>::max())
    throw Error(
        fmt::format("radius {}: a graph may have at most 2^32 rows, this one has {}", radius, power.num_rows));
  // {v, u} with u < v was numbered when u was visited, and the balls that hold v are visited in ascending order
  // of u: the next unused place of v's list is the one for u.
  power.rows.resize(power.nodes.size());
  std::vector<std::size_t> next(power.offsets.begin(), power.offsets.end() - 1);
  std::uint32_t row = 0;
  for (Node v = 0; v < n; ++v)
    for (std::size_t at = next[v]; at < power.offsets[v + 1]; ++at) {
      const Node u = power.nodes[at];
      power.rows[at] = row;
      if (u != v) power.rows[next[u]++] = row;
      ++row;
    }
  return power;
}

std::size_t ball_size(const Graph& graph, int radius, Node v) {
  std::vector<Node> seen_from(graph.num_nodes(), static_cast<Node>(graph.num_nodes()));
  std::vector<Node> ball;
  add_ball(graph, radius, v, seen_from, ball);
  return ball.size();
}

RowCounts count_rows(const Graph& graph, int radius, std::uint64_t most_rows) {
  const std::size_t n = graph.num_nodes();
  RowCounts counts;
  std::uint64_t ends = 0;  // both of every pair, one of a loop
  std::vector<Node> ball;
  std::vector<Node> seen_from(n, static_cast<Node>(n));
  for (Node v = 0; v < n && (ends + n) / 2 <= most_rows; ++v) {
    ball.clear();
    add_ball(graph, radius, v, seen_from, ball);
    ends += ball.size();
  }
  counts.rows = (ends + n) / 2;
  if (counts.rows > most_rows) return counts;
  if (ends == std::uint64_t{n} * n) {  // every pair: no need to look
    counts.triples = counts.rows * n;
    return counts;
  }
  GraphPower power;
  find_balls(graph, radius, power);
  std::vector<Node> marked_by(n, static_cast<Node>(n));
  for (Node v = 0; v < n; ++v) {
    for (const Node u : power.ball(v)) marked_by[u] = v;
    for (const Node u : power.ball(v)) {
      // Of the two ends the one with the smaller ball is scanned.
      const std::size_t here = power.ball(v).size();
      const std::size_t there = power.ball(u).size();
      if (there > here || (there == here && u > v)) continue;
      for (const Node w : power.ball(u)) counts.triples += marked_by[w] == v;
    }
  }
  return counts;
}

std::vector<Edge> list_rows(const Graph& graph, int radius) {
  const auto n = static_cast<Node>(graph.num_nodes());
  std::vector<Edge> rows;
  if (radius == kRadiusAll) {
    for (Node i = 0; i < n; ++i)
      for (Node j = i; j < n; ++j) rows.push_back({i, j});
    return rows;
  }
  GraphPower power;
  find_balls(graph, radius, power);
  for (Node i = 0; i < n; ++i)
    for (const Node j : power.ball(i))
      if (j >= i) rows.push_back({i, j});
  return rows;
}

}  // namespace twofold::wl
