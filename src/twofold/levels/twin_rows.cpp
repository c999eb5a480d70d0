#include "twofold/levels/twin_rows.h"

#include <algorithm>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::levels {
namespace {

// Whether u and v have the same neighbors, each of both left out, by edges of the same colors.
bool are_twins(const Graph& g, const InitialColors& colors, Node u, Node v) {
  if (colors.loops[u] != colors.loops[v] || g.degree(u) != g.degree(v)) return false;
  const auto of_u = g.neighbors(u);
  const auto of_v = g.neighbors(v);
  const bool with_data = colors.has_edge_data();
  for (std::size_t i = 0, j = 0;; ++i, ++j) {
    if (i < of_u.size() && of_u[i] == v) ++i;
    if (j < of_v.size() && of_v[j] == u) ++j;
    if (i == of_u.size() || j == of_v.size()) return i == of_u.size() && j == of_v.size();
    if (of_u[i] != of_v[j]) return false;
    if (with_data && colors.edges[g.incident_edges(u)[i]] != colors.edges[g.incident_edges(v)[j]]) return false;
  }
}

// Puts nodes of equal hash that are twins into one class: leader[v] is the smallest.
void group(const Graph& g, const InitialColors& colors, std::vector<std::pair<std::uint64_t, Node>>& hashed,
           std::vector<Node>& leader) {
  std::sort(hashed.begin(), hashed.end());
  std::vector<Node> leaders;
  for (std::size_t begin = 0; begin < hashed.size();) {
    std::size_t end = begin + 1;
    while (end < hashed.size() && hashed[end].first == hashed[begin].first) ++end;
    leaders.clear();
    for (std::size_t k = begin; end - begin > 1 && k < end; ++k) {
      const Node v = hashed[k].second;
      const auto at =
          std::find_if(leaders.begin(), leaders.end(), [&](Node u) { return are_twins(g, colors, u, v); });
      if (at == leaders.end())
        leaders.push_back(v);
      else
        leader[v] = *at;
    }
    begin = end;
  }
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

Row edge_color(const Graph& g, const InitialColors& colors, Node u, Node v) {
  if (!colors.has_edge_data()) return colors.edges[0];
  const auto neighbors = g.neighbors(u);
  const auto at = std::lower_bound(neighbors.begin(), neighbors.end(), v) - neighbors.begin();
  return colors.edges[g.incident_edges(u)[static_cast<std::size_t>(at)]];
}

}  // namespace

Twins find_twins(const Graph& g, const InitialColors& colors, bool collapse) {
  const auto n = static_cast<Node>(g.num_nodes());
  std::vector<Node> leader(n);
  std::iota(leader.begin(), leader.end(), Node{0});
  if (collapse) {
    // Twins that are not adjacent have the same neighbors; those that are, have them with themselves counted.
    // No node has twins of both kinds.
    // Colors of edges are hashed only where no twin's own edge is among them; else leaves that differ by their
    // edges alone would all be compared with each other.
    std::vector<std::pair<std::uint64_t, Node>> open(n), closed(n);
    for (Node v = 0; v < n; ++v) {
      const std::uint64_t start = hash_end(std::uint64_t{colors.loops[v]} << 32);
      open[v] = {start, v};
      closed[v] = {start + hash_end(v + std::uint64_t{1}), v};
      const auto neighbors = g.neighbors(v);
      for (std::size_t k = 0; k < neighbors.size(); ++k) {
        const std::uint64_t node = neighbors[k] + std::uint64_t{1};
        const std::uint64_t edge = colors.has_edge_data() ? colors.edges[g.incident_edges(v)[k]] : 0;
        open[v].first += hash_end(node ^ (edge << 32));
        closed[v].first += hash_end(node);
      }
    }
    group(g, colors, open, leader);
    group(g, colors, closed, leader);
  }
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
                        std::uint64_t max_bytes) {
  TwinRows rows;
  rows.twins = find_twins(g, colors, collapse);
  const Twins& twins = rows.twins;
  const auto h = static_cast<std::uint32_t>(twins.num_classes());
  rows.has_twins = h < g.num_nodes();
  if (h > 0) rows.largest = *std::max_element(twins.size.begin(), twins.size.end());
  const Graph classes = rows.has_twins ? graph_of_classes(g, twins) : Graph();
  const Graph& small = rows.has_twins ? classes : g;
  rows.balls = graph::find_balls(small, radius, max_bytes / 3);
  const graph::Balls& balls = rows.balls;
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
