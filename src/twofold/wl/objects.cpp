#include "twofold/wl/objects.h"

#include <algorithm>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/graph/power_counts.h"
#include "twofold/wl/mix.h"

namespace twofold::wl {
namespace {

constexpr std::uint64_t kVeryMany = std::uint64_t{1} << 63;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return 0;
  return a > kVeryMany / b ? kVeryMany : std::min(kVeryMany, a * b);
}

std::uint64_t power(std::uint64_t base, int exponent) {
  std::uint64_t result = 1;
  for (int i = 0; i < exponent && result < kVeryMany && result > 0; ++i) {
    if (base <= 1) return base;
    result = times(result, base);
  }
  return result;
}

}  // namespace

Objects::Objects(const Graph& graph, const WlTest& test)
    : graph_(graph), has_edge_labels_(test.edge_labels && graph.has_edge_labels()) {
  const std::size_t n = graph.num_nodes();
  node_start_.assign(n, {0, 0, 0});
  if (graph.has_node_labels())
    for (Node v = 0; v < n; ++v) {
      node_start_[v].labels = static_cast<std::uint32_t>(graph.node_labels()[v]);
      node_start_[v].flags |= 1;
    }
  for (std::size_t i = 0; i < graph.num_self_loops(); ++i) {
    NodeStart& start = node_start_[graph.self_loops()[i]];
    start.flags |= 2;
    if (!has_edge_labels_) continue;
    start.flags |= 4;
    start.labels |= std::uint64_t{static_cast<std::uint32_t>(graph.edge_labels()[graph.num_edges() + i])} << 32;
  }
}

void Objects::set_marks(Span<const Node> nodes) {
  for (NodeStart& start : node_start_) start.mark = 0;
  for (std::size_t m = 0; m < nodes.size(); ++m) node_start_[nodes[m]].mark = m + 1;
}

std::uint64_t Objects::node_hash(Node v) const {
  const NodeStart& start = node_start_[v];
  return mix(mix(start.labels, start.flags), start.mark);
}

bool Objects::same_node(Node v, const Objects& other, Node w) const {
  const NodeStart& a = node_start_[v];
  const NodeStart& b = other.node_start_[w];
  return a.labels == b.labels && a.flags == b.flags && a.mark == b.mark;
}

std::unique_ptr<Objects> make_objects(const Graph& graph, const WlTest& test) {
  switch (test.kind) {
    case Kind::kVertices:
      return make_vertex_objects(graph, test);
    case Kind::kTuples:
      return make_tuple_objects(graph, test);
    case Kind::kRows:
      return graph.is_directed() ? make_ordered_rows(graph, test) : make_row_objects(graph, test);
    case Kind::kEdges:
      return make_edge_objects(graph, test);
  }
  return nullptr;
}

std::uint64_t count_objects(const Graph& graph, const WlTest& test) {
  const std::uint64_t n = graph.num_nodes();
  switch (test.kind) {
    case Kind::kVertices:
      return n;
    case Kind::kTuples:
      return power(n, test.k);
    case Kind::kRows: {
      const std::uint64_t rows = graph::count_power_pairs(graph, test.radius);
      return graph.is_directed() ? 2 * rows - n : rows;
    }
    case Kind::kEdges:
      return n + graph.num_edges();
  }
  return 0;
}

std::uint64_t objects_memory(const Graph& graph, const WlTest& test, std::uint64_t limit) {
  const std::uint64_t n = graph.num_nodes();
  const std::uint64_t m = graph.num_edges();
  // An object: value, sum, a slot or two of a hash table, and for the certificate its color and place.
  constexpr std::uint64_t kAnObject = 8 + 8 + 32 + 4 + 8;
  // And its pair, code, ball and mirror; the balls once more while they are found.
  constexpr std::uint64_t kAnOrderedRow = kAnObject + 40;
  switch (test.kind) {
    case Kind::kVertices:
      return n * (kAnObject + 32);
    case Kind::kTuples:  // and one table a place
      return times(power(n, test.k), kAnObject + 8 * static_cast<std::uint64_t>(test.k)) + 8 * n * n;
    case Kind::kRows: {
      if (graph.is_directed()) {
        const std::uint64_t enough = limit / (2 * kAnOrderedRow);
        return times(graph::count_power_pairs(graph, test.radius, enough), 2 * kAnOrderedRow) + 40 * n;
      }
      if (test.radius.is_all()) return n * (n + 1) / 2 * kAnObject + 24 * n * n;
      const std::uint64_t enough = limit / (kAnObject + 40);
      const std::uint64_t rows = graph::count_power_pairs(graph, test.radius, enough);
      // The balls are stored to count the triples, so not before the rows are known to fit.
      const std::uint64_t triples = rows > enough ? 0 : graph::count_power(graph, test.radius, limit).triples;
      return rows * (kAnObject + 40) + 8 * triples + 40 * n;
    }
    case Kind::kEdges:
      return (n + m) * (kAnObject + 24);
  }
  return 0;
}

bool is_isomorphism(const Objects& a, const Objects& b, Span<const Node> image) {
  const Graph& g = a.graph();
  const Graph& h = b.graph();
  for (Node v = 0; v < g.num_nodes(); ++v) {
    if (!a.same_node(v, b, image[v])) return false;
    const auto neighbors = g.neighbors(v);
    const auto others = h.neighbors(image[v]);
    if (neighbors.size() != others.size()) return false;
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
      const Node w = image[neighbors[i]];
      const Node* const found = std::lower_bound(others.begin(), others.end(), w);
      if (found == others.end() || *found != w) return false;
      if (a.code_at(v, i) != b.code_at(image[v], static_cast<std::size_t>(found - others.begin())))
        return false;
    }
  }
  return true;
}

void check_directions(Span<const Graph> graphs, const WlTest& test) {
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    if (graphs[i].is_directed() != graphs[0].is_directed())
      throw InputError(fmt::format(
          "needed directed graphs or undirected ones, found graph 1 {}directed and graph {} {}directed",
          graphs[0].is_directed() ? "" : "un", i + 1, graphs[i].is_directed() ? "" : "un"));
    if (graphs[i].is_directed() && test.kind == Kind::kEdges)
      throw InputError(fmt::format(
          "graph {}: 2-gnn cannot see directions, found a directed graph; 1-wl, 2-wl and k-fwl can", i + 1));
  }
}

int bits_for(std::size_t num_colors) {
  int bits = 1;
  while (bits < 63 && (std::size_t{1} << bits) < num_colors) ++bits;
  return bits;
}

}  // namespace twofold::wl
