#include "twofold/levels/twin_rows.h"

#include <algorithm>
#include <map>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"

namespace twofold::levels {
namespace {

Row edge_color(const Graph& g, const InitialColors& colors, Node u, Node v) {
  if (!colors.has_edge_data()) return colors.edges[0];
  const auto neighbors = g.neighbors(u);
  const auto at = std::lower_bound(neighbors.begin(), neighbors.end(), v) - neighbors.begin();
  return colors.edges[g.incident_edges(u)[static_cast<std::size_t>(at)]];
}

}  // namespace

std::uint64_t TwinRows::count(Row row) const {
  const std::uint64_t a = twins.size[first[row]];
  if (first[row] != second[row]) return a * twins.size[second[row]];
  return row < twins.num_classes() ? a : a * (a - 1) / 2;
}

Edge TwinRows::indirect_pair() const {
  const auto row =
      static_cast<std::size_t>(std::find(color.begin(), color.end(), pairs::kNoRow) - color.begin());
  TWOFOLD_CHECK(row < num_rows());
  if (first[row] == second[row]) return {twins.member[first[row]], twins.other[first[row]]};
  return {twins.member[first[row]], twins.member[second[row]]};
}

void TwinRows::set_indirect(Row indirect) { std::replace(color.begin(), color.end(), pairs::kNoRow, indirect); }

std::uint64_t TwinRows::memory() const {
  return twins.class_of.size() * 4 + twins.num_classes() * 21 + balls.offsets.size() * 8 +
         balls.nodes.size() * 8 + num_rows() * 12;
}

TwinRows make_twin_rows(const Graph& g, const InitialColors& colors, pairs::Radius radius, bool collapse,
                        std::uint64_t max_bytes, Span<const std::uint32_t> node_times) {
  TwinRows rows;
  std::vector<Row> node_colors = colors.loops;
  std::map<std::pair<Row, std::uint32_t>, Row> numbers;
  for (std::size_t v = 0; v < node_times.size(); ++v) {
    const auto next = static_cast<Row>(numbers.size());
    node_colors[v] = numbers.emplace(std::make_pair(colors.loops[v], node_times[v]), next).first->second;
  }
  rows.twins = graph::find_twins(
      g, node_colors, colors.has_edge_data() ? Span<const Row>(colors.edges) : Span<const Row>(), collapse);
  const Twins& twins = rows.twins;
  const auto h = static_cast<std::uint32_t>(twins.num_classes());
  rows.has_twins = h < g.num_nodes();
  if (h > 0) rows.largest = *std::max_element(twins.size.begin(), twins.size.end());
  const Graph classes = rows.has_twins ? graph::graph_of_classes(g, twins) : Graph();
  const Graph& small = rows.has_twins ? classes : g;
  rows.balls = graph::find_balls(small, radius, max_bytes);
  const graph::Balls& balls = rows.balls;
  // Of an entry its node and its row; of a row, of which there are half as many, two classes and a color.
  require_memory(
      fmt::format("the pairs of a graph of {} nodes at radius {}", g.num_nodes(), pairs::to_string(radius)),
      14 * std::uint64_t{balls.nodes.size()} + 24 * std::uint64_t{h}, max_bytes);
  if (balls.nodes.size() / 2 + h >= pairs::kNoRow / 2)
    throw Error(fmt::format("the pairs of one graph need fewer than {} rows, {} nodes at radius {} have {}",
                            pairs::kNoRow / 2, g.num_nodes(), pairs::to_string(radius),
                            balls.nodes.size() / 2 + h));

  const std::size_t num_pairs = (balls.nodes.size() - h) / 2;
  rows.first.reserve(h + num_pairs);
  rows.second.reserve(h + num_pairs);
  rows.color.reserve(h + num_pairs);
  const auto add_row = [&](std::uint32_t a, std::uint32_t b, Row color) {
    rows.first.push_back(a);
    rows.second.push_back(b);
    rows.color.push_back(color);
    rows.num_indirect += color == pairs::kNoRow;
    return static_cast<Row>(rows.first.size() - 1);
  };
  for (std::uint32_t a = 0; a < h; ++a) add_row(a, a, colors.loops[twins.member[a]]);
  // Balls are ascending and visited in that order, so the row of {a,b} is also the next one that the ball of b
  // lacks.
  rows.ball_rows.resize(balls.nodes.size());
  std::vector<std::uint64_t> next(balls.offsets.begin(), balls.offsets.end() - 1);
  for (std::uint32_t a = 0; a < h; ++a) {
    rows.ball_rows[next[a]++] = a;
    const auto neighbors = small.neighbors(a);
    const Node* neighbor = std::upper_bound(neighbors.begin(), neighbors.end(), a);
    for (std::uint64_t at = next[a]; at < balls.offsets[a + 1]; ++at) {
      const Node b = balls.nodes[at];
      Row color = pairs::kNoRow;
      if (neighbor != neighbors.end() && *neighbor == b) {
        color = edge_color(g, colors, twins.member[a], twins.member[b]);
        ++neighbor;
      }
      const Row row = add_row(a, b, color);
      rows.ball_rows[at] = row;
      rows.ball_rows[next[b]++] = row;
    }
  }
  rows.inner.assign(h, pairs::kNoRow);
  for (std::uint32_t a = 0; a < h; ++a) {
    if (twins.size[a] < 2) continue;
    if (twins.is_clique[a])
      rows.inner[a] = add_row(a, a, edge_color(g, colors, twins.member[a], twins.other[a]));
    else if (radius.is_all() || (radius.steps() >= 2 && g.degree(twins.member[a]) > 0))
      rows.inner[a] = add_row(a, a, pairs::kNoRow);
  }
  return rows;
}

}  // namespace twofold::levels
