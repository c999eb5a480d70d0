#include "twofold/pairs/pair_features.h"

#include "twofold/base/error.h"

namespace twofold::pairs {
namespace {

void require_fit(const Graph& g, const PairSet& set, const FeatureLayout& layout) {
  TWOFOLD_CHECK(set.num_nodes() == g.num_nodes(), "pairs of {} nodes, a graph of {}", set.num_nodes(),
                g.num_nodes());
  if (g.num_nodes() == 0) return;
  const auto require = [](bool fits, const char* what, std::size_t need, std::size_t found) {
    if (!fits) throw InputError(fmt::format("the features have {} {}, the graph has {}", need, what, found));
  };
  require(g.has_node_labels() == (!layout.node_labels.empty() || layout.feature_rows != nullptr),
          "node label columns", layout.node_labels.size(), g.has_node_labels());
  require(g.num_node_attributes() == layout.node_attributes, "node attributes", layout.node_attributes,
          g.num_node_attributes());
  if (g.num_edges() == 0) return;
  require(g.has_edge_labels() == !layout.edge_labels.empty(), "edge label columns", layout.edge_labels.size(),
          g.has_edge_labels());
  require(g.num_edge_attributes() == layout.edge_attributes, "edge attributes", layout.edge_attributes,
          g.num_edge_attributes());
}

}  // namespace

template <typename T>
void write_features(const Graph& g, const PairSet& set, const FeatureLayout& layout, T* out,
                    const FeatureScaling& scaling) {
  require_fit(g, set, layout);
  const std::size_t d = layout.columns();
  for (Node v = 0; v < g.num_nodes(); ++v) layout.write_loop(g, v, scaling, out + v * d);
  for_each_pair_row(
      set, [&](std::size_t row, std::size_t edge) { layout.write_edge(g, edge, scaling, out + row * d); },
      [&](std::size_t row) { layout.write_indirect(out + row * d); });
}
template void write_features(const Graph&, const PairSet&, const FeatureLayout&, float*, const FeatureScaling&);
template void write_features(const Graph&, const PairSet&, const FeatureLayout&, double*,
                             const FeatureScaling&);

std::vector<std::uint32_t> row_labels(const Graph& g, const PairSet& set, const FeatureLayout& layout) {
  require_fit(g, set, layout);
  std::vector<std::uint32_t> labels(set.num_rows());
  for (Node v = 0; v < g.num_nodes(); ++v) labels[v] = layout.loop_label(g, v);
  for_each_pair_row(
      set, [&](std::size_t row, std::size_t edge) { labels[row] = layout.edge_label(g, edge); },
      [&](std::size_t row) { labels[row] = layout.indirect_label(); });
  return labels;
}

}  // namespace twofold::pairs
