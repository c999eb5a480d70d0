#include "twofold/pairs/pair_features.h"

#include <algorithm>
#include <set>

#include "twofold/base/error.h"

namespace twofold::pairs {
namespace {

constexpr Label kLargestCounted = 1000;

std::vector<Label> label_columns(const std::set<Label>& labels) {
  if (labels.empty()) return {};
  if (*labels.begin() < 0 || *labels.rbegin() > kLargestCounted) return {labels.begin(), labels.end()};
  std::vector<Label> columns;
  for (Label label = *labels.begin() == 0 ? 0 : 1; label <= *labels.rbegin(); ++label) columns.push_back(label);
  return columns;
}

std::size_t column_of(Label label, const std::vector<Label>& columns, const char* what) {
  const auto at = std::lower_bound(columns.begin(), columns.end(), label);
  if (at == columns.end() || *at != label)
    throw InputError(fmt::format("{} label {} is none of the {} that the features have columns for", what,
                                 label, columns.size()));
  return static_cast<std::size_t>(at - columns.begin());
}

void require_fit(const Graph& g, const PairSet& set, const FeatureLayout& layout) {
  TWOFOLD_CHECK(set.num_nodes() == g.num_nodes(), "pairs of {} nodes, a graph of {}", set.num_nodes(),
                g.num_nodes());
  if (g.num_nodes() == 0) return;
  const auto require = [](bool fits, const char* what, std::size_t need, std::size_t found) {
    if (!fits) throw InputError(fmt::format("the features have {} {}, the graph has {}", need, what, found));
  };
  require(g.has_node_labels() == !layout.node_labels.empty(), "node label columns", layout.node_labels.size(),
          g.has_node_labels());
  require(g.num_node_attributes() == layout.node_attributes, "node attributes", layout.node_attributes,
          g.num_node_attributes());
  if (g.num_edges() == 0) return;
  require(g.has_edge_labels() == !layout.edge_labels.empty(), "edge label columns", layout.edge_labels.size(),
          g.has_edge_labels());
  require(g.num_edge_attributes() == layout.edge_attributes, "edge attributes", layout.edge_attributes,
          g.num_edge_attributes());
}

// Calls visit(row, edge number) for every edge row; rows and edges are both numbered by (i, j).
template <typename Visit>
void for_each_edge_row(const PairSet& set, const Visit& visit) {
  std::size_t edge = 0;
  for (std::size_t row = set.num_nodes(); row < set.num_rows(); ++row)
    if (set.kind[row] == RowKind::kEdge) visit(row, edge++);
}

}  // namespace

bool operator==(const FeatureLayout& a, const FeatureLayout& b) {
  return a.indicators == b.indicators && a.node_labels == b.node_labels &&
         a.node_attributes == b.node_attributes && a.edge_labels == b.edge_labels &&
         a.edge_attributes == b.edge_attributes;
}

FeatureLayout feature_layout(Span<const Graph> graphs, bool indicators) {
  FeatureLayout layout;
  layout.indicators = indicators;
  std::set<Label> node_labels;
  std::set<Label> edge_labels;
  const Graph* first_with_nodes = nullptr;
  const Graph* first_with_edges = nullptr;
  for (std::size_t at = 0; at < graphs.size(); ++at) {
    const Graph& g = graphs[at];
    const auto require = [&](bool same, const char* what) {
      if (!same)
        throw InputError(fmt::format("graph {}: its {} are unlike those of the graphs before it", at, what));
    };
    if (g.num_nodes() > 0) {
      if (first_with_nodes == nullptr) first_with_nodes = &g;
      require(g.has_node_labels() == first_with_nodes->has_node_labels(), "node labels");
      require(g.num_node_attributes() == first_with_nodes->num_node_attributes(), "node attributes");
    }
    if (g.num_edges() > 0) {
      if (first_with_edges == nullptr) first_with_edges = &g;
      require(g.has_edge_labels() == first_with_edges->has_edge_labels(), "edge labels");
      require(g.num_edge_attributes() == first_with_edges->num_edge_attributes(), "edge attributes");
    }
    node_labels.insert(g.node_labels().begin(), g.node_labels().end());
    // Behind the edges come self-loops, which make no row of their own.
    if (g.has_edge_labels())
      edge_labels.insert(g.edge_labels().begin(), g.edge_labels().begin() + g.num_edges());
  }
  layout.node_labels = label_columns(node_labels);
  layout.edge_labels = label_columns(edge_labels);
  if (first_with_nodes != nullptr) layout.node_attributes = first_with_nodes->num_node_attributes();
  if (first_with_edges != nullptr) layout.edge_attributes = first_with_edges->num_edge_attributes();
  return layout;
}

template <typename T>
void write_features(const Graph& g, const PairSet& set, const FeatureLayout& layout, T* out) {
  require_fit(g, set, layout);
  const std::size_t d = layout.columns();
  const std::size_t node_label_at = layout.indicators ? 3 : 0;
  const std::size_t node_attribute_at = node_label_at + layout.node_labels.size();
  const std::size_t edge_label_at = node_attribute_at + layout.node_attributes;
  const std::size_t edge_attribute_at = edge_label_at + layout.edge_labels.size();
  std::fill(out, out + set.num_rows() * d, T{0});
  if (layout.indicators)
    for (std::size_t row = 0; row < set.num_rows(); ++row)
      out[row * d + static_cast<std::size_t>(set.kind[row])] = 1;
  for (Node v = 0; v < g.num_nodes(); ++v) {
    T* row = out + v * d;
    if (g.has_node_labels()) row[node_label_at + column_of(g.node_labels()[v], layout.node_labels, "node")] = 1;
    std::transform(g.node_attributes(v).begin(), g.node_attributes(v).end(), row + node_attribute_at,
                   [](double x) { return static_cast<T>(x); });
  }
  if (layout.edge_labels.empty() && layout.edge_attributes == 0) return;
  for_each_edge_row(set, [&](std::size_t at, std::size_t edge) {
    T* row = out + at * d;
    if (g.has_edge_labels())
      row[edge_label_at + column_of(g.edge_labels()[edge], layout.edge_labels, "edge")] = 1;
    std::transform(g.edge_attributes(edge).begin(), g.edge_attributes(edge).end(), row + edge_attribute_at,
                   [](double x) { return static_cast<T>(x); });
  });
}
template void write_features(const Graph&, const PairSet&, const FeatureLayout&, float*);
template void write_features(const Graph&, const PairSet&, const FeatureLayout&, double*);

std::size_t num_row_labels(const FeatureLayout& layout) {
  return std::max<std::size_t>(1, layout.node_labels.size()) +
         std::max<std::size_t>(1, layout.edge_labels.size()) + 1;
}

std::vector<std::uint32_t> row_labels(const Graph& g, const PairSet& set, const FeatureLayout& layout) {
  require_fit(g, set, layout);
  const std::size_t first_edge_label = std::max<std::size_t>(1, layout.node_labels.size());
  std::vector<std::uint32_t> labels(set.num_rows(), static_cast<std::uint32_t>(num_row_labels(layout) - 1));
  for (Node v = 0; v < g.num_nodes(); ++v)
    labels[v] = static_cast<std::uint32_t>(
        g.has_node_labels() ? column_of(g.node_labels()[v], layout.node_labels, "node") : 0);
  for_each_edge_row(set, [&](std::size_t row, std::size_t edge) {
    const std::size_t label =
        g.has_edge_labels() ? column_of(g.edge_labels()[edge], layout.edge_labels, "edge") : 0;
    labels[row] = static_cast<std::uint32_t>(first_edge_label + label);
  });
  return labels;
}

template <typename T>
std::vector<T> label_features(const FeatureLayout& layout) {
  const std::size_t d = layout.columns();
  const std::size_t loops = std::max<std::size_t>(1, layout.node_labels.size());
  const std::size_t edges = std::max<std::size_t>(1, layout.edge_labels.size());
  const std::size_t indicators = layout.indicators ? 3 : 0;
  std::vector<T> features((loops + edges + 1) * d, T{0});
  for (std::size_t label = 0; label < loops + edges + 1; ++label) {
    T* row = features.data() + label * d;
    const std::size_t kind = label < loops ? 0 : label < loops + edges ? 1 : 2;
    if (layout.indicators) row[kind] = 1;
    if (kind == 0 && !layout.node_labels.empty()) row[indicators + label] = 1;
    if (kind == 1 && !layout.edge_labels.empty())
      row[indicators + layout.node_labels.size() + layout.node_attributes + label - loops] = 1;
  }
  return features;
}
template std::vector<float> label_features(const FeatureLayout&);
template std::vector<double> label_features(const FeatureLayout&);

}  // namespace twofold::pairs
