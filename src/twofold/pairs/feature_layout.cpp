#include "twofold/pairs/feature_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "twofold/base/error.h"
#include "twofold/pairs/pair_set.h"

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

std::size_t index_of(Label label, const std::vector<Label>& columns, const char* what) {
  const auto at = std::lower_bound(columns.begin(), columns.end(), label);
  if (at == columns.end() || *at != label)
    throw InputError(fmt::format("{} label {} is none of the {} that the features have columns for", what,
                                 label, columns.size()));
  return static_cast<std::size_t>(at - columns.begin());
}

template <typename T>
void write_attributes(Span<const double> values, const std::vector<double>& mean,
                      const std::vector<double>& scale, std::size_t count, T* out) {
  for (std::size_t c = 0; c < count; ++c)
    out[c] = mean.empty() ? static_cast<T>(values[c])
                          : static_cast<T>(scaled_attribute(values[c], mean[c], scale[c]));
}

template <typename T>
void begin_row(const FeatureLayout& layout, RowKind kind, T* row) {
  std::fill_n(row, layout.columns(), T{0});
  if (layout.indicators) row[static_cast<std::size_t>(kind)] = 1;
}

}  // namespace

float scaled_attribute(double value, double mean, double scale) {
  const double scaled = (value - mean) / scale;
  if (!(std::abs(scaled) <= std::numeric_limits<float>::max()))
    throw InputError(fmt::format(
        "needed attributes near those of the training graphs ({} ± {}), found {}: too far for 32-bit floats",
        mean, scale, value));
  return static_cast<float>(scaled);
}

bool operator==(const FeatureLayout& a, const FeatureLayout& b) {
  return a.indicators == b.indicators && a.node_labels == b.node_labels &&
         a.feature_columns == b.feature_columns && a.node_attributes == b.node_attributes &&
         a.edge_labels == b.edge_labels && a.edge_attributes == b.edge_attributes;
}

std::size_t FeatureLayout::node_label_index(Label label) const { return index_of(label, node_labels, "node"); }
std::size_t FeatureLayout::edge_label_index(Label label) const { return index_of(label, edge_labels, "edge"); }

template <typename T>
void FeatureLayout::write_node_attributes(const Graph& g, Node v, const FeatureScaling& scaling, T* out) const {
  if (node_attributes > 0)
    write_attributes(g.node_attributes(v), scaling.node_mean, scaling.node_scale, node_attributes, out);
}

template <typename T>
void FeatureLayout::write_edge_attributes(const Graph& g, std::size_t edge, const FeatureScaling& scaling,
                                          T* out) const {
  if (edge_attributes > 0)
    write_attributes(g.edge_attributes(edge), scaling.edge_mean, scaling.edge_scale, edge_attributes, out);
}

template <typename T>
void FeatureLayout::write_loop(const Graph& g, Node v, const FeatureScaling& scaling, T* row) const {
  begin_row(*this, RowKind::kLoop, row);
  if (!node_labels.empty()) row[node_label_column() + node_label_index(g.node_labels()[v])] = 1;
  if (feature_rows != nullptr)
    put_features(loop_label(g, v), scaling,
                 [&](std::size_t column, float value) { row[column] = static_cast<T>(value); });
  write_node_attributes(g, v, scaling, row + node_attribute_column());
}

template <typename T>
void FeatureLayout::write_edge(const Graph& g, std::size_t edge, const FeatureScaling& scaling, T* row) const {
  begin_row(*this, RowKind::kEdge, row);
  if (!edge_labels.empty()) row[edge_label_column() + edge_label_index(g.edge_labels()[edge])] = 1;
  write_edge_attributes(g, edge, scaling, row + edge_attribute_column());
}

template <typename T>
void FeatureLayout::write_indirect(T* row) const {
  begin_row(*this, RowKind::kIndirect, row);
}

std::uint32_t FeatureLayout::loop_label(const Graph& g, Node v) const {
  if (feature_rows != nullptr) return static_cast<std::uint32_t>(g.node_labels()[v]);
  return static_cast<std::uint32_t>(node_labels.empty() ? 0 : node_label_index(g.node_labels()[v]));
}

std::uint32_t FeatureLayout::edge_label(const Graph& g, std::size_t edge) const {
  return static_cast<std::uint32_t>(num_loop_labels() +
                                    (edge_labels.empty() ? 0 : edge_label_index(g.edge_labels()[edge])));
}

template <typename T>
std::vector<T> FeatureLayout::label_features() const {
  const std::size_t d = columns();
  std::vector<T> features(num_row_labels() * d);
  T* row = features.data();
  for (std::size_t i = 0; i < num_loop_labels(); ++i, row += d) {
    begin_row(*this, RowKind::kLoop, row);
    if (!node_labels.empty()) row[node_label_column() + i] = 1;
    if (feature_rows != nullptr)
      put_features(i, {}, [&](std::size_t column, float value) { row[column] = static_cast<T>(value); });
  }
  for (std::size_t i = 0; i < num_edge_labels(); ++i, row += d) {
    begin_row(*this, RowKind::kEdge, row);
    if (!edge_labels.empty()) row[edge_label_column() + i] = 1;
  }
  write_indirect(row);
  return features;
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
      require(g.node_features() == first_with_nodes->node_features(), "node features");
      require(g.num_node_attributes() == first_with_nodes->num_node_attributes(), "node attributes");
    }
    if (g.num_edges() > 0) {
      if (first_with_edges == nullptr) first_with_edges = &g;
      require(g.has_edge_labels() == first_with_edges->has_edge_labels(), "edge labels");
      require(g.num_edge_attributes() == first_with_edges->num_edge_attributes(), "edge attributes");
    }
    if (g.node_features() == nullptr) node_labels.insert(g.node_labels().begin(), g.node_labels().end());
    // Behind the edges come self-loops, which make no row of their own.
    if (g.has_edge_labels())
      edge_labels.insert(g.edge_labels().begin(), g.edge_labels().begin() + g.num_edges());
  }
  layout.node_labels = label_columns(node_labels);
  layout.edge_labels = label_columns(edge_labels);
  if (first_with_nodes != nullptr && first_with_nodes->node_features() != nullptr) {
    layout.feature_rows = first_with_nodes->node_features();
    layout.feature_columns = layout.feature_rows->columns;
  }
  if (first_with_nodes != nullptr) layout.node_attributes = first_with_nodes->num_node_attributes();
  if (first_with_edges != nullptr) layout.edge_attributes = first_with_edges->num_edge_attributes();
  return layout;
}

template void FeatureLayout::write_loop(const Graph&, Node, const FeatureScaling&, float*) const;
template void FeatureLayout::write_edge(const Graph&, std::size_t, const FeatureScaling&, float*) const;
template void FeatureLayout::write_indirect(float*) const;
template void FeatureLayout::write_node_attributes(const Graph&, Node, const FeatureScaling&, float*) const;
template void FeatureLayout::write_edge_attributes(const Graph&, std::size_t, const FeatureScaling&,
                                                   float*) const;
template std::vector<float> FeatureLayout::label_features() const;
template void FeatureLayout::write_loop(const Graph&, Node, const FeatureScaling&, double*) const;
template void FeatureLayout::write_edge(const Graph&, std::size_t, const FeatureScaling&, double*) const;
template void FeatureLayout::write_indirect(double*) const;
template void FeatureLayout::write_node_attributes(const Graph&, Node, const FeatureScaling&, double*) const;
template void FeatureLayout::write_edge_attributes(const Graph&, std::size_t, const FeatureScaling&,
                                                   double*) const;
template std::vector<double> FeatureLayout::label_features() const;

}  // namespace twofold::pairs
