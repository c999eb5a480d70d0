#include "twofold/graph/graph_builder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "twofold/base/memory.h"

namespace twofold {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Positions of `entries` ordered by (smaller end, larger end), equal ones in the order they were added:
// two counting sorts, so O(n + entries).
std::vector<std::uint32_t> sort_entries(std::size_t n, const std::vector<Edge>& entries) {
  std::vector<std::uint32_t> order(entries.size());
  std::vector<std::uint32_t> buffer(entries.size());
  std::vector<std::uint32_t> start(n + 1);
  const auto pass = [&](const auto& key, const auto& source, std::vector<std::uint32_t>& target) {
    std::fill(start.begin(), start.end(), 0);
    for (const Edge& e : entries) ++start[key(e) + 1];
    for (std::size_t v = 0; v < n; ++v) start[v + 1] += start[v];
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::uint32_t entry = source(i);
      target[start[key(entries[entry])]++] = entry;
    }
  };
  pass([](const Edge& e) { return std::max(e.u, e.v); },
       [](std::size_t i) { return static_cast<std::uint32_t>(i); }, buffer);
  pass([](const Edge& e) { return std::min(e.u, e.v); }, [&](std::size_t i) { return buffer[i]; }, order);
  return order;
}

// A short text can name a graph of any size, so a large one is refused before memory is taken for it. Building
// holds, beside the graph, 2 numbers per node and 3 per entry. To ask what is left takes a system call: not
// for graphs that fit anywhere.
void require_room(std::size_t nodes, std::size_t entries) {
  if (nodes + entries < (std::size_t{1} << 17)) return;
  require_memory(fmt::format("a graph of {} nodes", nodes),
                 12 * std::uint64_t{nodes} + 20 * std::uint64_t{entries}, resolve_memory_limit(0));
}

}  // namespace

GraphBuilder::GraphBuilder(std::size_t num_nodes) : n_(num_nodes) {
  if (num_nodes >= kNone)
    throw Error(fmt::format("a graph has at most {} nodes, {} were asked for", kNone - 1, num_nodes));
  require_room(num_nodes, 0);
}

void GraphBuilder::add_edge(Node u, Node v) {
  TWOFOLD_CHECK(u < n_ && v < n_, "edge {}-{} in a graph of {} nodes", u, v, n_);
  entries_.push_back({u, v});
}

void GraphBuilder::add_arc(Node u, Node v) {
  TWOFOLD_CHECK(is_directed_ || entries_.empty(), "an arc {}-{} among edges", u, v);
  is_directed_ = true;
  add_edge(u, v);
}

void GraphBuilder::reserve_edges(std::size_t count) { entries_.reserve(count); }

void GraphBuilder::set_node_labels(std::vector<Label> labels) {
  TWOFOLD_CHECK(labels.size() == n_, "{} labels for {} nodes", labels.size(), n_);
  node_labels_ = std::move(labels);
}

void GraphBuilder::set_node_features(std::shared_ptr<const NodeFeatures> features, std::vector<Label> labels) {
  set_node_labels(std::move(labels));
  node_features_ = std::move(features);
}

Graph GraphBuilder::with_node_features(Graph graph, std::shared_ptr<const NodeFeatures> features,
                                       std::vector<Label> labels) {
  TWOFOLD_CHECK(labels.size() == graph.num_nodes() && !graph.has_node_labels());
  graph.node_labels_ = std::move(labels);
  graph.node_features_ = std::move(features);
  return graph;
}

Graph GraphBuilder::with_labels(Graph graph, std::vector<Label> nodes, std::vector<Label> edges) {
  TWOFOLD_CHECK(nodes.size() == graph.node_labels_.size() && edges.size() == graph.edge_labels_.size());
  graph.node_labels_ = std::move(nodes);
  graph.edge_labels_ = std::move(edges);
  return graph;
}

Graph GraphBuilder::without_directions(Graph graph) {
  graph.is_directed_ = false;
  graph.directions_.clear();
  return graph;
}

void GraphBuilder::set_node_attributes(std::size_t columns, std::vector<double> values) {
  TWOFOLD_CHECK(values.size() == n_ * columns, "{} values for {} nodes of {} attributes", values.size(), n_,
                columns);
  num_node_attributes_ = columns;
  node_attributes_ = std::move(values);
}

void GraphBuilder::set_edge_labels(std::vector<Label> labels) {
  TWOFOLD_CHECK(labels.size() == entries_.size(), "{} labels for {} edge entries", labels.size(),
                entries_.size());
  edge_labels_ = std::move(labels);
}

void GraphBuilder::set_edge_attributes(std::size_t columns, std::vector<double> values) {
  TWOFOLD_CHECK(values.size() == entries_.size() * columns, "{} values for {} edge entries of {} attributes",
                values.size(), entries_.size(), columns);
  num_edge_attributes_ = columns;
  edge_attributes_ = std::move(values);
}

Graph GraphBuilder::build() && {
  if (entries_.size() >= kNone / 2)
    throw Error(fmt::format("a graph has at most {} edges, {} were given", kNone / 2 - 1, entries_.size()));
  require_room(n_, entries_.size());
  const auto order = sort_entries(n_, entries_);

  // first_entry: of each distinct edge, ascending; then of each distinct self-loop.
  std::vector<std::uint32_t> first_entry;
  std::vector<std::uint32_t> loop_entry;
  first_entry.reserve(order.size());
  // Parallel to first_entry in a directed graph: the direction seen from the smaller end.
  std::vector<Direction> directions;
  const auto direction_of = [](Edge e) { return e.u < e.v ? Direction::kOut : Direction::kIn; };
  std::uint32_t previous = kNone;
  for (const std::uint32_t entry : order) {
    const Edge e = entries_[entry];
    if (previous != kNone) {
      const Edge p = entries_[previous];
      if (std::min(e.u, e.v) == std::min(p.u, p.v) && std::max(e.u, e.v) == std::max(p.u, p.v)) {
        const bool same_label = edge_labels_.empty() || edge_labels_[entry] == edge_labels_[previous];
        const auto row = edge_attributes_.begin();
        const auto d = static_cast<std::ptrdiff_t>(num_edge_attributes_);
        const bool same_attributes = std::equal(row + d * entry, row + d * (entry + 1), row + d * previous);
        if (!same_label)
          throw EdgeConflict(fmt::format("edge {}-{} has the label {} and the label {}", e.u, e.v,
                                         edge_labels_[previous], edge_labels_[entry]),
                             previous, entry);
        if (!same_attributes)
          throw EdgeConflict(fmt::format("edge {}-{} has two different rows of attributes", e.u, e.v), previous,
                             entry);
        if (is_directed_ && e.u != e.v && directions.back() != direction_of(e))
          directions.back() = Direction::kBoth;
        continue;
      }
    }
    (e.u == e.v ? loop_entry : first_entry).push_back(entry);
    if (is_directed_ && e.u != e.v) directions.push_back(direction_of(e));
    previous = entry;
  }

  Graph g;
  const std::size_t m = first_entry.size();
  g.offsets_.assign(n_ + 1, 0);
  for (const std::uint32_t entry : first_entry) {
    ++g.offsets_[entries_[entry].u + 1];
    ++g.offsets_[entries_[entry].v + 1];
  }
  for (std::size_t v = 0; v < n_; ++v) g.offsets_[v + 1] += g.offsets_[v];

  // Edges come by (smaller, larger) end. The larger end's row is filled in one sweep and the smaller end's in a
  // second one, so each row receives first its smaller and then its larger neighbors, both ascending.
  const bool has_edge_data = !edge_labels_.empty() || num_edge_attributes_ > 0;
  g.neighbors_.resize(2 * m);
  if (has_edge_data) g.incident_edges_.resize(2 * m);
  g.is_directed_ = is_directed_;
  if (is_directed_) g.directions_.resize(2 * m);
  std::vector<std::uint32_t> end(g.offsets_.begin(), g.offsets_.end() - 1);
  const auto append = [&](Node at, Node neighbor, std::size_t edge) {
    const std::uint32_t position = end[at]++;
    g.neighbors_[position] = neighbor;
    if (has_edge_data) g.incident_edges_[position] = static_cast<std::uint32_t>(edge);
    if (is_directed_) g.directions_[position] = at < neighbor ? directions[edge] : reversed(directions[edge]);
  };
  for (std::size_t i = 0; i < m; ++i) {
    const Edge e = entries_[first_entry[i]];
    append(std::max(e.u, e.v), std::min(e.u, e.v), i);
  }
  for (std::size_t i = 0; i < m; ++i) {
    const Edge e = entries_[first_entry[i]];
    append(std::min(e.u, e.v), std::max(e.u, e.v), i);
  }

  for (const std::uint32_t entry : loop_entry) g.self_loops_.push_back(entries_[entry].u);
  first_entry.insert(first_entry.end(), loop_entry.begin(), loop_entry.end());
  if (!edge_labels_.empty())
    for (const std::uint32_t entry : first_entry) g.edge_labels_.push_back(edge_labels_[entry]);
  // Without rows there are no columns either, so that equal graphs are equal however they were made.
  g.num_edge_attributes_ = first_entry.empty() ? 0 : num_edge_attributes_;
  for (const std::uint32_t entry : first_entry) {
    const auto row = edge_attributes_.begin() + static_cast<std::ptrdiff_t>(entry * num_edge_attributes_);
    g.edge_attributes_.insert(g.edge_attributes_.end(), row,
                              row + static_cast<std::ptrdiff_t>(num_edge_attributes_));
  }
  g.node_labels_ = std::move(node_labels_);
  g.node_features_ = std::move(node_features_);
  g.num_node_attributes_ = n_ == 0 ? 0 : num_node_attributes_;
  g.node_attributes_ = std::move(node_attributes_);
  return g;
}

}  // namespace twofold
