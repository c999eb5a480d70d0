#include "twofold/graph/graph.h"

#include <algorithm>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold {

bool Graph::has_edge(Node u, Node v) const {
  const auto around = neighbors(u);
  return std::binary_search(around.begin(), around.end(), v);
}

bool Graph::has_self_loop(Node v) const {
  return std::binary_search(self_loops_.begin(), self_loops_.end(), v);
}

std::vector<Edge> Graph::edges() const {
  std::vector<Edge> result;
  result.reserve(num_edges());
  for (Node u = 0; u < num_nodes(); ++u)
    for (const Node v : neighbors(u))
      if (u < v) result.push_back({u, v});
  return result;
}

std::vector<Edge> Graph::arcs() const {
  TWOFOLD_CHECK(is_directed_);
  std::vector<Edge> result;
  for (Node u = 0; u < num_nodes(); ++u)
    for (std::size_t i = 0; i < degree(u); ++i)
      if (direction(u, i) != Direction::kIn) result.push_back({u, neighbors(u)[i]});
  return result;
}

void Graph::check() const {
  const std::size_t n = num_nodes();
  const std::size_t num_rows = num_edges() + num_self_loops();
  TWOFOLD_CHECK(offsets_.front() == 0 && offsets_.back() == neighbors_.size());
  TWOFOLD_CHECK(std::is_sorted(offsets_.begin(), offsets_.end()));
  const auto strictly_ascending = [](Span<const Node> nodes) {
    return std::adjacent_find(nodes.begin(), nodes.end(), [](Node a, Node b) { return a >= b; }) == nodes.end();
  };
  for (Node v = 0; v < n; ++v) {
    TWOFOLD_CHECK(strictly_ascending(neighbors(v)), "neighbors of {}", v);
    for (const Node u : neighbors(v))
      TWOFOLD_CHECK(u < n && u != v && has_edge(u, v), "node {} lists the neighbor {}", v, u);
  }
  TWOFOLD_CHECK(strictly_ascending(self_loops_) && (self_loops_.empty() || self_loops_.back() < n));
  TWOFOLD_CHECK(directions_.size() == (is_directed_ ? neighbors_.size() : 0));
  for (Node v = 0; v < n && is_directed_; ++v)
    for (std::size_t i = 0; i < degree(v); ++i) {
      const Node u = neighbors(v)[i];
      const auto back = std::lower_bound(neighbors(u).begin(), neighbors(u).end(), v) - neighbors(u).begin();
      TWOFOLD_CHECK(direction(u, static_cast<std::size_t>(back)) == reversed(direction(v, i)),
                    "edge {}-{} has two directions", u, v);
    }
  TWOFOLD_CHECK(node_labels_.empty() || node_labels_.size() == n);
  if (node_features_ != nullptr)
    for (const Label row : node_labels_)
      TWOFOLD_CHECK(row >= 0 && static_cast<std::size_t>(row) < node_features_->num_rows());
  TWOFOLD_CHECK(node_attributes_.size() == n * num_node_attributes_);
  TWOFOLD_CHECK(edge_labels_.empty() || edge_labels_.size() == num_rows);
  TWOFOLD_CHECK(edge_attributes_.size() == num_rows * num_edge_attributes_);
  const bool has_edge_data = !edge_labels_.empty() || num_edge_attributes_ > 0;
  TWOFOLD_CHECK(incident_edges_.size() == (has_edge_data ? neighbors_.size() : 0));
  if (!has_edge_data) return;
  const auto all = edges();
  for (Node v = 0; v < n; ++v)
    for (std::size_t i = 0; i < degree(v); ++i) {
      const Node u = neighbors(v)[i];
      TWOFOLD_CHECK(all.at(incident_edges(v)[i]) == (Edge{std::min(u, v), std::max(u, v)}),
                    "edge {}-{} has the number {}", u, v, incident_edges(v)[i]);
    }
}

bool operator==(const Graph& a, const Graph& b) {
  if (a.num_nodes() != b.num_nodes() || a.self_loops() != b.self_loops()) return false;
  if (a.is_directed() != b.is_directed()) return false;
  if (a.node_labels() != b.node_labels() || a.edge_labels() != b.edge_labels()) return false;
  if ((a.node_features() == nullptr) != (b.node_features() == nullptr)) return false;
  if (a.node_features() != b.node_features() && !(*a.node_features() == *b.node_features())) return false;
  if (a.num_node_attributes() != b.num_node_attributes()) return false;
  if (a.num_edge_attributes() != b.num_edge_attributes()) return false;
  for (Node v = 0; v < a.num_nodes(); ++v)
    if (a.neighbors(v) != b.neighbors(v) || a.node_attributes(v) != b.node_attributes(v)) return false;
  for (Node v = 0; v < a.num_nodes() && a.is_directed(); ++v)
    for (std::size_t i = 0; i < a.degree(v); ++i)
      if (a.direction(v, i) != b.direction(v, i)) return false;
  for (std::size_t e = 0; a.num_edge_attributes() > 0 && e < a.num_edges() + a.num_self_loops(); ++e)
    if (a.edge_attributes(e) != b.edge_attributes(e)) return false;
  return true;
}

namespace {

// Collects whole graphs, each node v of which gets the name name(v), with what data they carry.
class GraphCopier {
 public:
  explicit GraphCopier(std::size_t n) : builder_(n) {}

  template <typename Name>
  void add(const Graph& g, Name name) {
    const auto add_one = [&](Edge e, std::size_t number) {
      if (g.is_directed())
        builder_.add_arc(name(e.u), name(e.v));
      else
        builder_.add_edge(name(e.u), name(e.v));
      if (g.has_edge_labels()) edge_labels_.push_back(g.edge_labels()[number]);
      const auto row = g.edge_attributes(number);
      edge_attributes_.insert(edge_attributes_.end(), row.begin(), row.end());
    };
    if (g.is_directed()) builder_.set_directed();
    std::size_t number = 0;
    for (Node u = 0; u < g.num_nodes(); ++u)
      for (std::size_t i = 0; i < g.degree(u); ++i) {
        const Node v = g.neighbors(u)[i];
        if (v < u) continue;
        if (g.direction(u, i) != Direction::kIn) add_one({u, v}, number);
        if (g.is_directed() && g.direction(u, i) != Direction::kOut) add_one({v, u}, number);
        ++number;
      }
    for (const Node v : g.self_loops()) add_one({v, v}, number++);
  }

  Graph build(const Graph& like, bool keep_edge_labels, bool keep_edge_attributes) && {
    if (keep_edge_labels) builder_.set_edge_labels(std::move(edge_labels_));
    if (keep_edge_attributes)
      builder_.set_edge_attributes(like.num_edge_attributes(), std::move(edge_attributes_));
    return std::move(builder_).build();
  }

  GraphBuilder& builder() { return builder_; }

 private:
  GraphBuilder builder_;
  std::vector<Label> edge_labels_;
  std::vector<double> edge_attributes_;
};

}  // namespace

Graph relabeled(const Graph& g, Span<const Node> new_name) {
  const std::size_t n = g.num_nodes();
  TWOFOLD_CHECK(new_name.size() == n, "{} names for {} nodes", new_name.size(), n);
  std::vector<Node> old_name(n, static_cast<Node>(n));
  for (Node v = 0; v < n; ++v) {
    TWOFOLD_CHECK(new_name[v] < n && old_name[new_name[v]] == n, "name {} is not a permutation's", v);
    old_name[new_name[v]] = v;
  }
  GraphCopier copier(n);
  copier.add(g, [&](Node v) { return new_name[v]; });
  if (g.has_node_labels()) {
    std::vector<Label> labels(n);
    for (Node v = 0; v < n; ++v) labels[v] = g.node_labels()[old_name[v]];
    copier.builder().set_node_features(g.node_features(), std::move(labels));
  }
  if (g.num_node_attributes() > 0) {
    std::vector<double> values;
    for (const Node v : old_name)
      values.insert(values.end(), g.node_attributes(v).begin(), g.node_attributes(v).end());
    copier.builder().set_node_attributes(g.num_node_attributes(), std::move(values));
  }
  return std::move(copier).build(g, g.has_edge_labels(), g.num_edge_attributes() > 0);
}

Graph disjoint_union(Span<const Graph> graphs) {
  if (graphs.empty()) return {};
  // A graph without nodes (or edges) carries no labels to miss.
  const auto all = [&](auto&& predicate) { return std::all_of(graphs.begin(), graphs.end(), predicate); };
  const std::size_t node_columns = graphs[0].num_node_attributes();
  const std::size_t edge_columns = graphs[0].num_edge_attributes();
  // Labels of different tables mean different things.
  const bool node_labels = all([&](const Graph& g) {
    return (g.has_node_labels() && g.node_features() == graphs[0].node_features()) || g.num_nodes() == 0;
  });
  const bool node_attributes = all([&](const Graph& g) { return g.num_node_attributes() == node_columns; });
  const bool edge_labels =
      all([](const Graph& g) { return g.has_edge_labels() || g.num_edges() + g.num_self_loops() == 0; });
  const bool edge_attributes = all([&](const Graph& g) { return g.num_edge_attributes() == edge_columns; });

  std::size_t n = 0;
  for (const Graph& g : graphs) {
    n += g.num_nodes();
    if (g.is_directed() != graphs[0].is_directed())
      throw InputError("needed directed graphs or undirected ones, found both");
  }
  GraphCopier copier(n);
  std::vector<Label> labels;
  std::vector<double> attributes;
  std::size_t first = 0;
  bool any_edge_label = false;
  for (const Graph& g : graphs) {
    copier.add(g, [&](Node v) { return static_cast<Node>(first + v); });
    labels.insert(labels.end(), g.node_labels().begin(), g.node_labels().end());
    for (Node v = 0; v < g.num_nodes(); ++v)
      attributes.insert(attributes.end(), g.node_attributes(v).begin(), g.node_attributes(v).end());
    any_edge_label = any_edge_label || g.has_edge_labels();
    first += g.num_nodes();
  }
  if (node_labels && n > 0) copier.builder().set_node_features(graphs[0].node_features(), std::move(labels));
  if (node_attributes && node_columns > 0)
    copier.builder().set_node_attributes(node_columns, std::move(attributes));
  return std::move(copier).build(graphs[0], edge_labels && any_edge_label, edge_attributes && edge_columns > 0);
}

}  // namespace twofold
