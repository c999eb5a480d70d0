#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/io/json_line.h"
#include "twofold/io/json_lines.h"
#include "twofold/io/node_feature_rows.h"

namespace twofold::io {
namespace {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Every line must have the kinds of data that the first one has. A graph without nodes or edges has none to
// miss.
void check_same_kinds(const std::vector<JsonLine>& lines, const std::string& source) {
  const auto require = [&](bool same, std::size_t i, const char* what) {
    if (!same)
      throw_input_error(source, i + 1, fmt::format("{} on all lines or on none, as on line 1", what),
                        "a line that differs");
  };
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const JsonLine& a = lines[0];
    const JsonLine& b = lines[i];
    require(a.graph.is_directed() == b.graph.is_directed(), i, "\"arcs\"");
    require(a.has_node_labels == b.has_node_labels, i, "\"node_labels\"");
    require(a.has_edge_labels == b.has_edge_labels, i, "\"edge_labels\"");
    require(a.id.has_value() == b.id.has_value(), i, "an \"id\"");
    require(a.smiles.has_value() == b.smiles.has_value(), i, "a \"smiles\"");
    require(a.target.kind == LineTarget::kNone ? b.target.kind == LineTarget::kNone
                                               : b.target.kind != LineTarget::kNone,
            i, "a \"target\"");
    require((a.target.kind == LineTarget::kText) == (b.target.kind == LineTarget::kText), i,
            "a text as \"target\"");
    require((a.target.kind == LineTarget::kNamed) == (b.target.kind == LineTarget::kNamed), i,
            "an object as \"target\"");
    for (const std::string& name : b.target.names)
      if (std::find(a.target.names.begin(), a.target.names.end(), name) == a.target.names.end())
        throw_input_error(source, i + 1,
                          fmt::format("targets {}, as on line 1", fmt::join(a.target.names, ", ")),
                          in_quotes(name));
    require(a.has_node_targets == b.has_node_targets, i, "\"node_targets\"");
    require(a.has_features == b.has_features, i, "\"node_features\"");
    require(a.graph_attributes.present == b.graph_attributes.present, i, "\"graph_attributes\"");
  }
  // Columns may be unknown on a line of no nodes, so they are compared with the first line that has some.
  const auto same_columns = [&](auto columns, auto count, const char* what) {
    std::size_t first = lines.size();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (count(lines[i]) == 0) continue;
      if (first == lines.size()) first = i;
      if (columns(lines[i]) != columns(lines[first]))
        throw_input_error(source, i + 1,
                          fmt::format("{} {}, as on line {}", columns(lines[first]), what, first + 1),
                          std::to_string(columns(lines[i])));
    }
  };
  same_columns([](const JsonLine& l) { return l.num_node_attributes; },
               [](const JsonLine& l) { return l.graph.num_nodes(); }, "attributes a node");
  same_columns([](const JsonLine& l) { return l.num_edge_attributes; },
               [](const JsonLine& l) { return l.graph.num_edges() + l.graph.num_self_loops(); },
               "attributes an edge");
  same_columns([](const JsonLine& l) { return l.graph_attributes.values.size(); },
               [](const JsonLine&) { return 1; }, "graph attributes");
}

// Targets by name, in the order of the first line. One that a line does not name is not known.
void read_named(const std::vector<JsonLine>& lines, Dataset& dataset) {
  dataset.target_names = lines[0].target.names;
  dataset.num_real_targets = dataset.target_names.size();
  for (const JsonLine& line : lines)
    for (const std::string& name : dataset.target_names) {
      const auto& names = line.target.names;
      const auto at = std::find(names.begin(), names.end(), name);
      dataset.real_targets.push_back(at == names.end()
                                         ? std::numeric_limits<double>::quiet_NaN()
                                         : line.target.values[static_cast<std::size_t>(at - names.begin())]);
    }
}

// Classes are told apart over all lines.
void read_items(const std::vector<JsonLine>& lines, Dataset& dataset, const std::string& source) {
  std::vector<WrittenTarget> nodes, pairs;
  for (std::size_t g = 0; g < lines.size(); ++g) {
    nodes.insert(nodes.end(), lines[g].node_targets.begin(), lines[g].node_targets.end());
    pairs.insert(pairs.end(), lines[g].pair_targets.begin(), lines[g].pair_targets.end());
    for (const Edge pair : lines[g].pairs)
      dataset.pair_targets.items.push_back({static_cast<std::uint32_t>(g), pair.u, pair.v});
  }
  const auto require_one_kind = [&](const std::vector<WrittenTarget>& targets, const char* key) {
    bool texts = false, reals = false;
    for (const WrittenTarget& target : targets) {
      texts = texts || target.kind == WrittenTarget::kText;
      reals = reals || target.kind == WrittenTarget::kReal;
    }
    if (texts && reals)
      throw_input_error(source, 0, fmt::format("classes or real numbers as \"{}\"", key), "both");
  };
  require_one_kind(nodes, "node_targets");
  require_one_kind(pairs, "pair_targets");
  if (!lines.empty() && lines[0].has_node_targets) {
    dataset.node_targets.items = all_nodes(dataset.graphs);
    dataset.node_targets.set(nodes);
  }
  dataset.pair_targets.set(pairs);
}

void set_features(std::vector<JsonLine>& lines) {
  if (lines.empty() || !lines[0].has_features) return;
  std::vector<std::vector<std::vector<NodeFeatureTable::Entry>>> rows;
  std::vector<Graph> graphs;
  for (JsonLine& line : lines) {
    rows.push_back(std::move(line.features));
    graphs.push_back(std::move(line.graph));
  }
  give_features(std::move(rows), graphs);
  for (std::size_t g = 0; g < lines.size(); ++g) lines[g].graph = std::move(graphs[g]);
}

// Labels that are texts are numbered over all lines, in the order of the texts.
void number_texts(std::vector<JsonLine>& lines, const std::string& source, Dataset& dataset) {
  const auto number = [&](std::vector<std::string> JsonLine::*texts, auto has_numbers, const char* what,
                          LabelNames& names) {
    std::set<std::string> all;
    for (const JsonLine& line : lines) all.insert((line.*texts).begin(), (line.*texts).end());
    if (all.empty()) return;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if ((lines[i].*texts).empty() && has_numbers(lines[i]))
        throw_input_error(source, i + 1, fmt::format("texts as {} on all lines or on none", what), "numbers");
    for (const std::string& text : all) names.emplace(static_cast<Label>(names.size()), text);
  };
  number(
      &JsonLine::node_texts, [](const JsonLine& l) { return !l.graph.node_labels().empty(); },
      "\"node_labels\"", dataset.node_label_names);
  number(
      &JsonLine::edge_texts, [](const JsonLine& l) { return !l.graph.edge_labels().empty(); },
      "\"edge_labels\"", dataset.edge_label_names);
  if (dataset.node_label_names.empty() && dataset.edge_label_names.empty()) return;
  const auto ranks = [](const LabelNames& names) {
    std::map<std::string, Label> result;
    for (const auto& [label, name] : names) result.emplace(name, label);
    return result;
  };
  const auto nodes = ranks(dataset.node_label_names), edges = ranks(dataset.edge_label_names);
  const auto numbers = [](const std::vector<std::string>& texts, const std::map<std::string, Label>& rank) {
    std::map<Label, Label> result;
    for (std::size_t i = 0; i < texts.size(); ++i) result.emplace(static_cast<Label>(i), rank.at(texts[i]));
    return result;
  };
  for (JsonLine& line : lines)
    line.graph = renumbered(line.graph, numbers(line.node_texts, nodes), numbers(line.edge_texts, edges));
}

}  // namespace

Dataset read_json_lines(std::string_view text, const std::string& source, int threads, const ReadLimits& limits,
                        std::string* dropped) {
  const auto texts = split_lines(text);
  std::vector<JsonLine> lines(texts.size());
  without_conflicts(dropped, [&](const EdgeData& kept) {
    std::atomic<std::int64_t> nodes_left{static_cast<std::int64_t>(limits.max_nodes)};
    parallel_for(lines.size(), threads,
                 [&](std::size_t i) { lines[i] = read_json_line(texts[i], source, i + 1, nodes_left, kept); });
  });
  check_same_kinds(lines, source);

  Dataset dataset;
  number_texts(lines, source, dataset);
  for (JsonLine& line : lines) {
    if (line.id) dataset.ids.push_back(std::move(*line.id));
    if (line.smiles) dataset.smiles.push_back(std::move(*line.smiles));
  }
  if (!lines.empty() && lines[0].target.kind == LineTarget::kNamed) {
    read_named(lines, dataset);
  } else if (!lines.empty() && lines[0].target.kind != LineTarget::kNone) {
    bool any_real = false;
    // With null among them whole numbers are values: a class that is not known is none.
    for (const JsonLine& line : lines)
      any_real = any_real || line.target.kind == LineTarget::kReal || line.target.kind == LineTarget::kNull;
    std::vector<std::string> names;
    for (JsonLine& line : lines)
      if (any_real)
        dataset.real_targets.push_back(line.target.real);
      else
        names.push_back(std::move(line.target.text));
    if (any_real)
      dataset.num_real_targets = 1;
    else
      dataset.set_classes(names);
  }
  if (!lines.empty() && lines[0].graph_attributes.present) {
    if (dataset.num_real_targets > 0)
      throw_input_error(source, 1, "real targets as \"target\" or as \"graph_attributes\"", "both");
    dataset.num_real_targets = lines[0].graph_attributes.values.size();
    for (const JsonLine& line : lines)
      dataset.real_targets.insert(dataset.real_targets.end(), line.graph_attributes.values.begin(),
                                  line.graph_attributes.values.end());
  }
  set_features(lines);
  for (JsonLine& line : lines) dataset.graphs.push_back(std::move(line.graph));
  read_items(lines, dataset, source);
  return dataset;
}

}  // namespace twofold::io
