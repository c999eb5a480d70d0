#include "twofold/train/input_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "twofold/base/error.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::train {
namespace {

Label known_degree(const std::vector<Label>& known, std::size_t degree) {
  const auto above = std::upper_bound(known.begin(), known.end(), static_cast<Label>(degree));
  return above == known.begin() ? known.front() : *(above - 1);
}

std::string labels_text(const std::vector<Label>& labels) {
  if (labels.empty()) return "none";
  return labels.size() == 1 ? fmt::format("{}", labels[0])
                            : fmt::format("{} labels {}..{}", labels.size(), labels.front(), labels.back());
}

// Labels that graphs have and a layout does not: the first graph, its label, and how many such graphs there
// are.
struct UnknownLabels {
  std::size_t graph = 0;
  Label label = 0;
  std::size_t num_graphs = 0;

  void look_at(std::size_t index, Span<const Label> labels, const std::vector<Label>& known) {
    for (const Label found : labels)
      if (!std::binary_search(known.begin(), known.end(), found)) {
        if (num_graphs++ == 0) {
          graph = index;
          label = found;
        }
        return;
      }
  }
};

void note_missing(std::vector<std::string>& differences, const std::string& what,
                  const std::vector<Label>& known, const std::set<Label>& found, const UnknownLabels& unknown) {
  if (known.empty() != found.empty()) {
    differences.push_back(fmt::format("needed {}s: {}, found {}", what, labels_text(known),
                                      labels_text({found.begin(), found.end()})));
  } else if (unknown.num_graphs > 0) {
    differences.push_back(fmt::format("graph {}: {} {} was not in the training data ({})", unknown.graph + 1,
                                      what, unknown.label, labels_text(known)));
    if (unknown.num_graphs > 1)
      differences.back() += fmt::format(", in all {} graphs have such labels", unknown.num_graphs);
  }
}

void note_count(std::vector<std::string>& differences, const char* what, std::size_t needed,
                std::size_t found) {
  if (needed != found) differences.push_back(fmt::format("needed {} {}, found {}", needed, what, found));
}

}  // namespace

InputLayout input_layout(Span<const Graph> graphs, const model::ModelOptions& options) {
  require_undirected(graphs, model::to_string(options.model));
  InputLayout layout;
  layout.features = pairs::feature_layout(graphs, options.indicators);
  if (!options.node_attributes) {
    layout.features.node_attributes = 0;
    layout.ignores_node_attributes = true;
  }
  if (options.degree_features) {
    if (!layout.features.node_labels.empty() || layout.features.feature_columns > 0)
      throw UsageError("degree features are for graphs without node labels, these have some");
    std::set<Label> degrees;
    for (const Graph& g : graphs)
      for (std::size_t v = 0; v < g.num_nodes(); ++v)
        degrees.insert(static_cast<Label>(g.degree(static_cast<Node>(v))));
    layout.features.node_labels.assign(degrees.begin(), degrees.end());
    layout.degrees = !degrees.empty();
  }
  if (options.marks > 0) {
    if (layout.features.feature_columns > 0)
      throw UsageError("needed node labels or none with marks, found sparse node features");
    layout.is_marked = true;
    layout.own_labels = layout.features.node_labels;
    layout.features.node_labels.resize(2 * std::max<std::size_t>(1, layout.own_labels.size()));
    std::iota(layout.features.node_labels.begin(), layout.features.node_labels.end(), Label{0});
  }
  if (!model::has_pair_rows(options.model)) {
    layout.features.indicators = false;
    layout.features.edge_labels.clear();
    layout.features.edge_attributes = 0;
  } else if (layout.features.columns() == 0) {
    throw UsageError(
        "without indicators, pairs of nodes without labels and attributes have no features at all");
  }
  return layout;
}

void require_fitting(Span<const Graph> graphs, const InputLayout& layout, model::ModelKind model,
                     const std::string& source) {
  const pairs::FeatureLayout& needed = layout.features;
  std::size_t feature_columns = 0;
  const std::vector<Label>& needed_labels = layout.known_labels();
  std::set<Label> node_labels, edge_labels;
  std::size_t node_attributes = needed.node_attributes, edge_attributes = needed.edge_attributes;
  // Graphs without nodes, or edges, lack their labels without being different.
  bool has_nodes = false, has_edges = false;
  UnknownLabels unknown_nodes, unknown_edges;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const Graph& g = graphs[i];
    if (g.node_features() != nullptr) feature_columns = g.node_features()->columns;
    if (g.node_features() == nullptr) unknown_nodes.look_at(i, g.node_labels(), needed_labels);
    has_nodes = has_nodes || g.num_nodes() > 0;
    has_edges = has_edges || g.num_edges() > 0;
    if (g.node_features() == nullptr) node_labels.insert(g.node_labels().begin(), g.node_labels().end());
    if (g.num_nodes() > 0) node_attributes = g.num_node_attributes();
    const Span<const Label> labels = g.edge_labels();
    if (!labels.empty()) {
      edge_labels.insert(labels.begin(), labels.begin() + g.num_edges());
      unknown_edges.look_at(i, {labels.data(), g.num_edges()}, needed.edge_labels);
    }
    if (g.num_edges() > 0) edge_attributes = g.num_edge_attributes();
  }
  std::vector<std::string> differences;
  if (layout.degrees) {
    if (!node_labels.empty())
      differences.push_back("needed no node labels (the model reads degrees), found some");
  } else if (has_nodes && (needed.feature_columns > 0 || feature_columns > 0)) {
    // A word that no node has may be missing at the end of the columns.
    if (feature_columns > needed.feature_columns || feature_columns == 0)
      differences.push_back(fmt::format("needed node features of {} columns{}, found {}",
                                        needed.feature_columns, needed.feature_columns > 0 ? " at most" : "",
                                        feature_columns));
  } else if (has_nodes) {
    note_missing(differences, "node label", needed_labels, node_labels, unknown_nodes);
  }
  if (!layout.ignores_node_attributes)
    note_count(differences, "node attributes", needed.node_attributes, node_attributes);
  if (model::has_pair_rows(model) && layout.weights == NeighborWeights::kNone) {
    if (has_edges) note_missing(differences, "edge label", needed.edge_labels, edge_labels, unknown_edges);
    note_count(differences, "edge attributes", needed.edge_attributes, edge_attributes);
  }
  if (!differences.empty())
    throw InputError(
        fmt::format("{}: the graphs do not fit the model: {}", source, fmt::join(differences, "; ")));
}

void require_floats(const Graph& g, const InputLayout& layout, std::size_t index) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  const auto check = [&](Span<const double> row, const char* what, std::size_t number) {
    for (const double value : row) {
      if (!std::isfinite(value))
        throw InputError(fmt::format("graph {}: needed finite attributes, found {} at {} {}", index + 1, value,
                                     what, number + 1));
      if (std::abs(value) > kLargest)
        throw InputError(
            fmt::format("graph {}: needed attributes within ±{:.1e} (networks compute in 32-bit floats), found "
                        "{} at {} {}",
                        index + 1, kLargest, value, what, number + 1));
    }
  };
  if (layout.features.node_attributes > 0)
    for (std::size_t v = 0; v < g.num_nodes(); ++v) check(g.node_attributes(static_cast<Node>(v)), "node", v);
  if (layout.features.edge_attributes > 0)
    for (std::size_t e = 0; e < g.num_edges(); ++e) check(g.edge_attributes(e), "edge", e);
}

Graph seen_graph(const Graph& g, const InputLayout& layout) {
  const bool sees_edges = layout.weights == NeighborWeights::kNone;
  GraphBuilder builder(g.num_nodes());
  const std::vector<Edge> edges = g.edges();
  for (const Edge edge : edges) builder.add_edge(edge.u, edge.v);
  for (const Node v : g.self_loops()) builder.add_edge(v, v);
  std::vector<Label> labels(g.node_labels().begin(), g.node_labels().end());
  if (layout.degrees) {
    labels.resize(g.num_nodes());
    for (std::size_t v = 0; v < labels.size(); ++v)
      labels[v] = known_degree(layout.known_labels(), g.degree(static_cast<Node>(v)));
  }
  if (layout.degrees || g.has_node_labels()) builder.set_node_features(g.node_features(), std::move(labels));
  if (g.num_node_attributes() > 0 && !(layout.ignores_node_attributes && !sees_edges)) {
    std::vector<double> values;
    for (std::size_t v = 0; v < g.num_nodes(); ++v) {
      const Span<const double> row = g.node_attributes(static_cast<Node>(v));
      values.insert(values.end(), row.begin(), row.end());
    }
    builder.set_node_attributes(g.num_node_attributes(), std::move(values));
  }
  // Edges come in the order of their numbers, self-loops after them: as the data is stored.
  if (g.has_edge_labels() && sees_edges)
    builder.set_edge_labels({g.edge_labels().begin(), g.edge_labels().end()});
  if (g.num_edge_attributes() > 0 && sees_edges) {
    std::vector<double> values;
    for (std::size_t e = 0; e < g.num_edges() + g.num_self_loops(); ++e) {
      const Span<const double> row = g.edge_attributes(e);
      values.insert(values.end(), row.begin(), row.end());
    }
    builder.set_edge_attributes(g.num_edge_attributes(), std::move(values));
  }
  return std::move(builder).build();
}

}  // namespace twofold::train
