#include "twofold/levels/initial_colors.h"

#include <algorithm>
#include <cstring>

#include "twofold/base/error.h"

namespace twofold::levels {
namespace {

std::size_t column_of(Label label, const std::vector<Label>& columns, const char* what) {
  const auto at = std::lower_bound(columns.begin(), columns.end(), label);
  if (at == columns.end() || *at != label)
    throw InputError(fmt::format("{} label {} is none of the {} that the features have columns for", what,
                                 label, columns.size()));
  return static_cast<std::size_t>(at - columns.begin());
}

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

void InitialTable::put_label(std::size_t at, Label label, const std::vector<Label>& columns, const char* what) {
  key_[at] = 1 + column_of(label, columns, what);
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
    if (g.has_node_labels()) put_label(1, g.node_labels()[v], layout_.node_labels, "node");
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
      if (g.has_edge_labels()) put_label(label_at, g.edge_labels()[edge], layout_.edge_labels, "edge");
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
                            const pairs::FeatureLayout& layout, Span<const Row> rows, T* out) {
  const std::size_t d = layout.columns();
  const std::size_t node_label_at = layout.indicators ? 3 : 0;
  const std::size_t node_attribute_at = node_label_at + layout.node_labels.size();
  const std::size_t edge_label_at = node_attribute_at + layout.node_attributes;
  const std::size_t edge_attribute_at = edge_label_at + layout.edge_labels.size();
  const auto copy = [](Span<const double> values, T* to) {
    std::transform(values.begin(), values.end(), to, [](double x) { return static_cast<T>(x); });
  };
  std::fill(out, out + rows.size() * d, T{0});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const InitialRow& pair = initial[rows[k]];
    const Graph& g = graphs[pair.graph];
    T* row = out + k * d;
    if (layout.indicators) row[pair.kind] = 1;
    if (pair.kind == static_cast<std::uint32_t>(pairs::RowKind::kLoop)) {
      if (!layout.node_labels.empty())
        row[node_label_at + column_of(g.node_labels()[pair.u], layout.node_labels, "node")] = 1;
      if (layout.node_attributes > 0) copy(g.node_attributes(pair.u), row + node_attribute_at);
    } else if (pair.kind == static_cast<std::uint32_t>(pairs::RowKind::kEdge)) {
      if (layout.edge_labels.empty() && layout.edge_attributes == 0) continue;
      const std::size_t edge = edge_number(g, pair.u, pair.v);
      if (!layout.edge_labels.empty())
        row[edge_label_at + column_of(g.edge_labels()[edge], layout.edge_labels, "edge")] = 1;
      if (layout.edge_attributes > 0) copy(g.edge_attributes(edge), row + edge_attribute_at);
    }
  }
}
template void write_initial_features(Span<const InitialRow>, Span<const Graph>, const pairs::FeatureLayout&,
                                     Span<const Row>, float*);
template void write_initial_features(Span<const InitialRow>, Span<const Graph>, const pairs::FeatureLayout&,
                                     Span<const Row>, double*);

std::vector<std::uint32_t> initial_labels(Span<const InitialRow> initial, Span<const Graph> graphs,
                                          const pairs::FeatureLayout& layout) {
  TWOFOLD_CHECK(layout.has_labels_only());
  const std::size_t loops = std::max<std::size_t>(1, layout.node_labels.size());
  std::vector<std::uint32_t> labels;
  labels.reserve(initial.size());
  for (const InitialRow& pair : initial) {
    const Graph& g = graphs[pair.graph];
    std::size_t label = pairs::num_row_labels(layout) - 1;
    if (pair.kind == static_cast<std::uint32_t>(pairs::RowKind::kLoop))
      label = layout.node_labels.empty() ? 0 : column_of(g.node_labels()[pair.u], layout.node_labels, "node");
    else if (pair.kind == static_cast<std::uint32_t>(pairs::RowKind::kEdge))
      label = loops + (layout.edge_labels.empty() ? 0
                                                  : column_of(g.edge_labels()[edge_number(g, pair.u, pair.v)],
                                                              layout.edge_labels, "edge"));
    labels.push_back(static_cast<std::uint32_t>(label));
  }
  return labels;
}

}  // namespace twofold::levels
