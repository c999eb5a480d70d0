#include "twofold/wl/row_numbers.h"

#include <limits>

#include "twofold/base/error.h"
#include "twofold/wl/objects.h"

namespace twofold::wl {

NumberedBalls number_rows(const Graph& graph, graph::PowerRadius radius) {
  const std::size_t n = graph.num_nodes();
  NumberedBalls power;
  power.balls = graph::find_balls(graph, radius);
  if (power.num_rows() > std::numeric_limits<std::uint32_t>::max())
    throw Error(fmt::format("radius {}: a graph may have at most 2^32 rows, this one has {}", to_string(radius),
                            power.num_rows()));
  // {v, u} with u < v was numbered when u was visited, and the balls that hold v are visited in ascending order
  // of u: the next unused place of v's list is the one for u.
  power.rows.resize(power.balls.nodes.size());
  std::vector<std::uint64_t> next(power.balls.offsets.begin(), power.balls.offsets.end() - 1);
  std::uint32_t row = 0;
  for (Node v = 0; v < n; ++v)
    for (std::uint64_t at = next[v]; at < power.balls.offsets[v + 1]; ++at) {
      const Node u = power.balls.nodes[at];
      power.rows[at] = row;
      if (u != v) power.rows[next[u]++] = row;
      ++row;
    }
  return power;
}

std::vector<Edge> list_rows(const Graph& graph, graph::PowerRadius radius) {
  const auto n = static_cast<Node>(graph.num_nodes());
  std::vector<Edge> rows;
  if (radius.is_all()) {
    for (Node i = 0; i < n; ++i)
      for (Node j = graph.is_directed() ? 0 : i; j < n; ++j) rows.push_back({i, j});
    return rows;
  }
  const graph::Balls balls = graph::find_balls(graph, radius);
  rows.reserve(balls.num_pairs());
  for (Node i = 0; i < n; ++i)
    for (const Node j : balls.of(i))
      if (j >= i || graph.is_directed()) rows.push_back({i, j});
  return rows;
}

}  // namespace twofold::wl
