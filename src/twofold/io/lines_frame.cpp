#include "twofold/io/lines_frame.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "twofold/base/error.h"

namespace twofold::io {
namespace {

LabelNames numbered(const std::set<std::string>& texts) {
  LabelNames names;
  for (const std::string& text : texts) names.emplace(static_cast<Label>(names.size()), text);
  return names;
}

std::map<std::string, Label> ranks_of(const LabelNames& names) {
  std::map<std::string, Label> ranks;
  for (const auto& [label, name] : names) ranks.emplace(name, label);
  return ranks;
}

// Targets by name, in the order of the first line. One that a line does not name is not known.
void add_named(const JsonLine& line, Dataset& dataset) {
  const auto& names = line.target.names;
  for (const std::string& name : dataset.target_names) {
    const auto at = std::find(names.begin(), names.end(), name);
    dataset.real_targets.push_back(at == names.end()
                                       ? std::numeric_limits<double>::quiet_NaN()
                                       : line.target.values[static_cast<std::size_t>(at - names.begin())]);
  }
}

}  // namespace

void LinesFrame::require_same(bool same, const char* what) const {
  if (!same)
    throw_input_error(source_, num_lines_, fmt::format("{} on all lines or on none, as on line 1", what),
                      "a line that differs");
}

// Columns may be unknown on a line of no nodes, so they are compared with the first line that has some.
void LinesFrame::require_columns(Columns& columns, std::size_t found, bool has_rows, const char* what) const {
  if (!has_rows) return;
  if (!columns.count) {
    columns = {found, num_lines_};
    return;
  }
  if (found != *columns.count)
    throw_input_error(source_, num_lines_,
                      fmt::format("{} {}, as on line {}", *columns.count, what, columns.line),
                      std::to_string(found));
}

void LinesFrame::add(const JsonLine& line) {
  ++num_lines_;
  const LineTarget::Kind target = line.target.kind;
  if (num_lines_ == 1)
    first_ = {line.graph.is_directed(), line.has_node_labels,          line.has_edge_labels,
              line.id.has_value(),      line.smiles.has_value(),       line.has_node_targets,
              line.has_features,        line.graph_attributes.present, target,
              line.target.names};
  require_same(first_.directed == line.graph.is_directed(), "\"arcs\"");
  require_same(first_.node_labels == line.has_node_labels, "\"node_labels\"");
  require_same(first_.edge_labels == line.has_edge_labels, "\"edge_labels\"");
  require_same(first_.id == line.id.has_value(), "an \"id\"");
  require_same(first_.smiles == line.smiles.has_value(), "a \"smiles\"");
  require_same((first_.target == LineTarget::kNone) == (target == LineTarget::kNone), "a \"target\"");
  require_same((first_.target == LineTarget::kText) == (target == LineTarget::kText), "a text as \"target\"");
  require_same((first_.target == LineTarget::kNamed) == (target == LineTarget::kNamed),
               "an object as \"target\"");
  for (const std::string& name : line.target.names)
    if (std::find(first_.target_names.begin(), first_.target_names.end(), name) == first_.target_names.end())
      throw_input_error(source_, num_lines_,
                        fmt::format("targets {}, as on line 1", fmt::join(first_.target_names, ", ")),
                        in_quotes(name));
  require_same(first_.node_targets == line.has_node_targets, "\"node_targets\"");
  require_same(first_.features == line.has_features, "\"node_features\"");
  require_same(first_.graph_attributes == line.graph_attributes.present, "\"graph_attributes\"");
  require_columns(node_attributes_, line.num_node_attributes, line.graph.num_nodes() > 0, "attributes a node");
  require_columns(edge_attributes_, line.num_edge_attributes,
                  line.graph.num_edges() + line.graph.num_self_loops() > 0, "attributes an edge");
  require_columns(graph_attributes_, line.graph_attributes.values.size(), true, "graph attributes");

  node_texts_.insert(line.node_texts.begin(), line.node_texts.end());
  edge_texts_.insert(line.edge_texts.begin(), line.edge_texts.end());
  if (numbered_nodes_ == 0 && line.node_texts.empty() && !line.graph.node_labels().empty())
    numbered_nodes_ = num_lines_;
  if (numbered_edges_ == 0 && line.edge_texts.empty() && !line.graph.edge_labels().empty())
    numbered_edges_ = num_lines_;
  has_node_labels_ = has_node_labels_ || line.graph.has_node_labels();
  has_edge_labels_ = has_edge_labels_ || line.graph.has_edge_labels();
  has_bare_nodes_ = has_bare_nodes_ || (line.graph.num_nodes() > 0 && !line.graph.has_node_labels());
  if (!line.has_features && line.node_texts.empty())
    node_labels_.insert(line.graph.node_labels().begin(), line.graph.node_labels().end());
  has_items_ = has_items_ || line.has_node_targets || line.has_pair_targets || line.has_features;
  // With null among them whole numbers are values: a class that is not known is none.
  any_real_ = any_real_ || target == LineTarget::kReal || target == LineTarget::kNull;
  if (!any_real_ && (target == LineTarget::kInteger || target == LineTarget::kText))
    classes_.insert(line.target.text);
}

void LinesFrame::finish() {
  if (!node_texts_.empty() && numbered_nodes_ > 0)
    throw_input_error(source_, numbered_nodes_, "texts as \"node_labels\" on all lines or on none", "numbers");
  if (!edge_texts_.empty() && numbered_edges_ > 0)
    throw_input_error(source_, numbered_edges_, "texts as \"edge_labels\" on all lines or on none", "numbers");
  // Labels that are texts are numbered in the order of the texts.
  node_names_ = numbered(node_texts_);
  edge_names_ = numbered(edge_texts_);
  if (first_.graph_attributes && (any_real_ || first_.target == LineTarget::kNamed))
    throw_input_error(source_, 1, "real targets as \"target\" or as \"graph_attributes\"", "both");
  if (!any_real_) class_names_ = sorted_class_names({classes_.begin(), classes_.end()});
}

Dataset LinesFrame::empty_dataset() const {
  Dataset dataset;
  dataset.class_names = class_names_;
  dataset.node_label_names = node_names_;
  dataset.edge_label_names = edge_names_;
  if (first_.target == LineTarget::kNamed) {
    dataset.target_names = first_.target_names;
    dataset.num_real_targets = dataset.target_names.size();
  } else if (any_real_) {
    dataset.num_real_targets = 1;
  } else if (first_.graph_attributes) {
    dataset.num_real_targets = graph_attributes_.count.value_or(0);
  }
  return dataset;
}

Dataset LinesFrame::dataset_of(std::vector<JsonLine>& lines) const {
  Dataset dataset = empty_dataset();
  const auto nodes = ranks_of(node_names_), edges = ranks_of(edge_names_);
  const auto numbers = [](const std::vector<std::string>& texts, const std::map<std::string, Label>& ranks) {
    std::map<Label, Label> result;
    for (std::size_t i = 0; i < texts.size(); ++i) result.emplace(static_cast<Label>(i), ranks.at(texts[i]));
    return result;
  };
  std::unordered_map<std::string, std::uint32_t> class_number;
  for (const std::string& name : class_names_)
    class_number.emplace(name, static_cast<std::uint32_t>(class_number.size()));
  for (JsonLine& line : lines) {
    if (!nodes.empty() || !edges.empty())
      line.graph = renumbered(line.graph, numbers(line.node_texts, nodes), numbers(line.edge_texts, edges));
    if (line.id) dataset.ids.push_back(std::move(*line.id));
    if (line.smiles) dataset.smiles.push_back(std::move(*line.smiles));
    if (first_.target == LineTarget::kNamed)
      add_named(line, dataset);
    else if (any_real_)
      dataset.real_targets.push_back(line.target.real);
    else if (!class_names_.empty())
      dataset.class_of.push_back(class_number.at(line.target.text));
    if (first_.graph_attributes)
      dataset.real_targets.insert(dataset.real_targets.end(), line.graph_attributes.values.begin(),
                                  line.graph_attributes.values.end());
    dataset.graphs.push_back(std::move(line.graph));
  }
  return dataset;
}

}  // namespace twofold::io
