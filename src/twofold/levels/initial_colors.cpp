#include "twofold/levels/initial_colors.h"

#include <algorithm>
#include <cstring>

#include "twofold/base/error.h"

namespace twofold::levels {
namespace {

// The number of edge {u,v}.
std::size_t edge_number(const Graph& g, Node u, Node v) {
  const auto neighbors = g.neighbors(u);
  const auto at = std::lower_bound(neighbors.begin(), neighbors.end(), v) - neighbors.begin();
  return g.incident_edges(u)[static_cast<std::size_t>(at)];
}

}  // namespace

InitialTable::InitialTable(const pairs::FeatureLayout& layout, AttributeUse attributes)
    : layout_(layout), attributes_(attributes) {
  key_.resize(3 + layout.node_attributes + layout.edge_attributes);
}

void InitialTable::begin_key(pairs::RowKind kind) {
  std::fill(key_.begin(), key_.end(), 0);
  if (layout_.indicators) key_[0] = 1 + static_cast<std::uint64_t>(kind);
}

void InitialTable::put_attributes(std::size_t at, Span<const double> values) {
  for (const double value : values) {
    if (attributes_ == AttributeUse::kFloat) {
      const auto single = static_cast<float>(value);
      std::uint32_t bits;
      std::memcpy(&bits, &single, sizeof bits);
      key_[at++] = bits;
    } else {
      std::memcpy(&key_[at++], &value, sizeof value);
    }
  }
}

Row InitialTable::number_key(const InitialRow& row) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : key_) hash = hash_on(hash, word);
  hash = hash_end(hash);
  const Row found = index_.find(hash, [&](Row other) {
    return std::memcmp(keys_.data() + other * key_.size(), key_.data(), key_.size() * sizeof(std::uint64_t)) ==
           0;
  });
  if (found != pairs::kNoRow) return found;
  rows_.push_back(row);
  keys_.append({key_.data(), key_.size()});
  return index_.add(hash);
}

void InitialTable::number_nodes(const Graph& g, std::uint32_t graph, Span<const std::uint64_t> degrees,
                                std::vector<Row>& colors) {
  const auto n = static_cast<Node>(g.num_nodes());
  colors.resize(n);
  for (Node v = 0; v < n; ++v) {
    begin_key(pairs::RowKind::kLoop);
    // Where the kind stands for pairs: a table is about nodes or about pairs, never both.
    if (!degrees.empty()) key_[0] = 1 + degrees[v];
    if (g.has_node_labels()) key_[1] = 1 + layout_.loop_label(g, v);
    if (layout_.node_attributes > 0) put_attributes(2, g.node_attributes(v));
    colors[v] = number_key({graph, v, v, static_cast<std::uint32_t>(pairs::RowKind::kLoop)});
  }
}

void InitialTable::number(const Graph& g, std::uint32_t graph, InitialColors& colors) {
  const auto n = static_cast<Node>(g.num_nodes());
  number_nodes(g, graph, {}, colors.loops);
  colors.edges.clear();
  const bool has_data = g.has_edge_labels() || layout_.edge_attributes > 0;
  const std::size_t label_at = 2 + layout_.node_attributes;
  std::size_t edge = 0;
  for (Node u = 0; u < n; ++u)
    for (const Node v : g.neighbors(u)) {
      if (v < u) continue;
      begin_key(pairs::RowKind::kEdge);
      if (g.has_edge_labels()) key_[label_at] = 1 + layout_.edge_label_index(g.edge_labels()[edge]);
      if (layout_.edge_attributes > 0) put_attributes(label_at + 1, g.edge_attributes(edge));
      colors.edges.push_back(number_key({graph, u, v, static_cast<std::uint32_t>(pairs::RowKind::kEdge)}));
      ++edge;
      if (!has_data) return;
    }
}

Row InitialTable::number_indirect(std::uint32_t graph, Node u, Node v) {
  begin_key(pairs::RowKind::kIndirect);
  return number_key({graph, u, v, static_cast<std::uint32_t>(pairs::RowKind::kIndirect)});
}

template <typename T>
void write_initial_features(Span<const InitialRow> initial, Span<const Graph> graphs,
                            const pairs::FeatureLayout& layout, const pairs::FeatureScaling& scaling, T* out) {
  const bool has_edge_data = !layout.edge_labels.empty() || layout.edge_attributes > 0;
  for (const InitialRow& pair : initial) {
    const Graph& g = graphs[pair.graph];
    switch (static_cast<pairs::RowKind>(pair.kind)) {
      case pairs::RowKind::kLoop:
        layout.write_loop(g, pair.u, scaling, out);
        break;
      case pairs::RowKind::kEdge:
        layout.write_edge(g, has_edge_data ? edge_number(g, pair.u, pair.v) : 0, scaling, out);
        break;
      case pairs::RowKind::kIndirect:
        layout.write_indirect(out);
        break;
    }
    out += layout.columns();
  }
}
template void write_initial_features(Span<const InitialRow>, Span<const Graph>, const pairs::FeatureLayout&,
                                     const pairs::FeatureScaling&, float*);
template void write_initial_features(Span<const InitialRow>, Span<const Graph>, const pairs::FeatureLayout&,
                                     const pairs::FeatureScaling&, double*);

}  // namespace twofold::levels
