#include "twofold/train/initial_features.h"

namespace twofold::train {
namespace {

Span<const double> edge_attributes(const Graph& g, Node u, Node v) {
  const Span<const Node> neighbors = g.neighbors(u);
  for (std::size_t i = 0; i < neighbors.size(); ++i)
    if (neighbors[i] == v) return g.edge_attributes(g.incident_edges(u)[i]);
  return {};
}

void scale(Span<const double> found, const std::vector<double>& mean, const std::vector<double>& by,
           float* out) {
  for (std::size_t c = 0; c < mean.size(); ++c) out[c] = scaled_attribute(found[c], mean[c], by[c]);
}

}  // namespace

std::vector<float> initial_features(const EncodedDataset& data, Span<const levels::InitialRow> initial,
                                    const FeatureScaling& scaling) {
  const pairs::FeatureLayout& layout = data.layout().features;
  const std::size_t columns = data.columns();
  // Without labels and attributes there is one constant column.
  std::vector<float> features(initial.size() * columns, 1);
  if (layout.columns() == 0) return features;
  std::vector<levels::Row> rows(initial.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<levels::Row>(i);
  levels::write_initial_features<float>(initial, data.graphs(), layout, rows, features.data());
  const std::size_t nodes = layout.node_attribute_column();
  const std::size_t edges = layout.edge_attribute_column();
  for (std::size_t i = 0; i < initial.size(); ++i) {
    const levels::InitialRow& row = initial[i];
    const Graph& g = data.graphs()[row.graph];
    float* const values = features.data() + i * columns;
    if (row.kind == static_cast<std::uint32_t>(pairs::RowKind::kLoop) && layout.node_attributes > 0)
      scale(g.node_attributes(row.u), scaling.node_mean, scaling.node_scale, values + nodes);
    if (row.kind == static_cast<std::uint32_t>(pairs::RowKind::kEdge) && layout.edge_attributes > 0)
      scale(edge_attributes(g, row.u, row.v), scaling.edge_mean, scaling.edge_scale, values + edges);
  }
  return features;
}

}  // namespace twofold::train
