#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "twofold/io/json_lines.h"

namespace twofold::io {
namespace {

using Text = fmt::memory_buffer;

template <typename Values, typename Append>
void append_list(Text& text, const char* key, const Values& values, Append&& append) {
  fmt::format_to(std::back_inserter(text), ", \"{}\": [", key);
  bool first = true;
  for (const auto& value : values) {
    if (!first) text.push_back(',');
    first = false;
    append(value);
  }
  text.push_back(']');
}

// The shortest text that reads back as the same number, and always with a point or exponent: it says "real".
void append_real(Text& text, double value) {
  if (std::isnan(value)) {  // a target that is not known
    text.append(std::string_view("null"));
    return;
  }
  const std::string digits = fmt::format("{}", value);
  text.append(digits);
  if (digits.find_first_of(".e") == std::string::npos) text.append(std::string_view(".0"));
}

template <typename Row>
void append_rows(Text& text, const char* key, std::size_t count, Row&& row) {
  fmt::format_to(std::back_inserter(text), ", \"{}\": [", key);
  for (std::size_t i = 0; i < count; ++i) {
    text.append(std::string_view(i == 0 ? "[" : ",["));
    const Span<const double> values = row(i);
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (j > 0) text.push_back(',');
      append_real(text, values[j]);
    }
    text.push_back(']');
  }
  text.push_back(']');
}

// A class that reads as an integer is written as one, unless that would read back as another text ("007") or,
// with more than 18 digits, as a real number.
bool is_plain_integer(const std::string& name) {
  std::int64_t value = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, value);
  constexpr std::int64_t kBound = 1'000'000'000'000'000'000;
  return error == std::errc() && stop == end && value > -kBound && value < kBound &&
         std::to_string(value) == name;
}

// What holds for all lines, found once.
struct Kinds : WrittenKinds {
  bool integer_classes = true;
};

void append_target(Text& text, const Dataset& dataset, std::size_t index, const Kinds& kinds) {
  if (dataset.has_classes()) {
    const std::string& name = dataset.class_names[dataset.class_of[index]];
    text.append(std::string_view(", \"target\": "));
    text.append(kinds.integer_classes
                    ? name
                    : nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  if (dataset.num_real_targets == 0) return;
  const Span<const double> row(dataset.real_targets.data() + index * dataset.num_real_targets,
                               dataset.num_real_targets);
  if (!dataset.target_names.empty() && !dataset.has_classes()) {
    text.append(std::string_view(", \"target\": {"));
    for (std::size_t c = 0; c < row.size(); ++c) {
      text.append(fmt::format("{}{}: ", c == 0 ? "" : ", ",
                              nlohmann::json(dataset.target_names[c])
                                  .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
      append_real(text, row[c]);
    }
    text.append(std::string_view("}"));
  } else if (row.size() == 1 && !dataset.has_classes()) {
    text.append(std::string_view(", \"target\": "));
    append_real(text, row[0]);
  } else {
    append_list(text, "graph_attributes", row, [&](double value) { append_real(text, value); });
  }
}

void append_item_target(Text& text, const ItemTargets& targets, std::size_t item, bool integer_classes) {
  if (!targets.is_known(item)) {
    text.append(std::string_view("null"));
  } else if (!targets.has_classes()) {
    append_real(text, targets.values[item]);
  } else {
    const std::string& name = targets.class_names[targets.class_of[item]];
    text.append(integer_classes
                    ? name
                    : nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
}

// Those of graph `index`, from item `next` on, which is moved behind them.
void append_items(Text& text, const ItemTargets& targets, bool are_nodes, std::size_t index,
                  std::size_t& next) {
  const bool integers = std::all_of(targets.class_names.begin(), targets.class_names.end(), is_plain_integer);
  const std::size_t begin = next;
  while (next < targets.items.size() && targets.items[next].graph == index) ++next;
  if (targets.empty() || (!are_nodes && next == begin)) return;
  text.append(std::string_view(are_nodes ? ", \"node_targets\": [" : ", \"pair_targets\": ["));
  for (std::size_t i = begin; i < next; ++i) {
    if (i > begin) text.push_back(',');
    if (!are_nodes) fmt::format_to(std::back_inserter(text), "[{},{},", targets.items[i].u, targets.items[i].v);
    append_item_target(text, targets, i, integers);
    if (!are_nodes) text.push_back(']');
  }
  text.push_back(']');
}

void append_features(Text& text, const Graph& g) {
  if (g.num_nodes() == 0) {
    text.append(std::string_view(", \"node_features\": []"));
    return;
  }
  const NodeFeatures& features = *g.node_features();
  const bool has_values =
      std::any_of(features.values.begin(), features.values.end(), [](float value) { return value != 1; });
  for (const bool are_values : {false, true}) {
    if (are_values && !has_values) return;
    fmt::format_to(std::back_inserter(text), ", \"{}\": [",
                   are_values ? "node_feature_values" : "node_features");
    for (Node v = 0; v < g.num_nodes(); ++v) {
      text.append(std::string_view(v == 0 ? "[" : ",["));
      const auto row = static_cast<std::size_t>(g.node_labels()[v]);
      for (std::size_t i = 0; i < features.row_indices(row).size(); ++i) {
        if (i > 0) text.push_back(',');
        if (are_values)
          fmt::format_to(std::back_inserter(text), "{}", features.row_values(row)[i]);
        else
          fmt::format_to(std::back_inserter(text), "{}", features.row_indices(row)[i]);
      }
      text.push_back(']');
    }
    text.push_back(']');
  }
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What stands in the list of edges or arcs, self-loops last, and the number of the edge each belongs to.
struct Entries {
  std::vector<Edge> ends;
  std::vector<std::size_t> numbers;
};

Entries list_entries(const Graph& g) {
  Entries entries;
  std::size_t number = 0;
  const auto add = [&](Node u, Node v) {
    entries.ends.push_back({u, v});
    entries.numbers.push_back(number);
  };
  for (Node u = 0; u < g.num_nodes(); ++u)
    for (std::size_t i = 0; i < g.degree(u); ++i) {
      const Node v = g.neighbors(u)[i];
      if (v < u) continue;
      if (g.direction(u, i) != Direction::kIn) add(u, v);
      if (g.is_directed() && g.direction(u, i) != Direction::kOut) add(v, u);
      ++number;
    }
  for (const Node v : g.self_loops()) {
    add(v, v);
    ++number;
  }
  return entries;
}

void append_graph(Text& text, const Dataset& dataset, std::size_t index, const Kinds& kinds) {
  const Graph& g = dataset.graphs[index];
  text.push_back('{');
  if (!dataset.ids.empty())
    fmt::format_to(std::back_inserter(text), "\"id\": {}, ", quoted(dataset.ids[index]));
  if (!dataset.smiles.empty())
    fmt::format_to(std::back_inserter(text), "\"smiles\": {}, ", quoted(dataset.smiles[index]));
  fmt::format_to(std::back_inserter(text), "\"nodes\": {}", g.num_nodes());
  const Entries entries = list_entries(g);
  append_list(text, g.is_directed() ? "arcs" : "edges", entries.ends,
              [&](Edge e) { fmt::format_to(std::back_inserter(text), "[{},{}]", e.u, e.v); });
  const auto label_writer = [&](const LabelNames& names) {
    return [&](Label l) {
      fmt::format_to(std::back_inserter(text), "{}",
                     names.empty() ? std::to_string(l) : quoted(label_text(names, l)));
    };
  };
  // A graph without nodes or edges still says that the dataset has such data.
  if (kinds.node_features) append_features(text, g);
  if (kinds.node_labels)
    append_list(text, "node_labels", g.node_labels(), label_writer(dataset.node_label_names));
  if (kinds.edge_labels)
    append_list(text, "edge_labels", entries.numbers, [&](std::size_t e) {
      if (g.has_edge_labels()) label_writer(dataset.edge_label_names)(g.edge_labels()[e]);
    });
  if (g.num_node_attributes() > 0)
    append_rows(text, "node_attributes", g.num_nodes(),
                [&](std::size_t v) { return g.node_attributes(static_cast<Node>(v)); });
  if (g.num_edge_attributes() > 0)
    append_rows(text, "edge_attributes", entries.numbers.size(),
                [&](std::size_t i) { return g.edge_attributes(entries.numbers[i]); });
}

}  // namespace

WrittenKinds written_kinds(Span<const Graph> graphs) {
  WrittenKinds kinds;
  for (const Graph& g : graphs) {
    kinds.node_features = kinds.node_features || g.node_features() != nullptr;
    kinds.node_labels = kinds.node_labels || (g.has_node_labels() && g.node_features() == nullptr);
    kinds.edge_labels = kinds.edge_labels || g.has_edge_labels();
  }
  return kinds;
}

void write_json_lines(const Dataset& dataset, const std::function<void(std::string_view)>& sink) {
  write_json_lines(dataset, written_kinds(dataset.graphs), sink);
}

void write_json_lines(const Dataset& dataset, const WrittenKinds& of_all,
                      const std::function<void(std::string_view)>& sink) {
  Kinds kinds;
  static_cast<WrittenKinds&>(kinds) = of_all;
  kinds.integer_classes = std::all_of(dataset.class_names.begin(), dataset.class_names.end(), is_plain_integer);
  Text text;
  std::size_t next_node = 0, next_pair = 0;
  for (std::size_t i = 0; i < dataset.graphs.size(); ++i) {
    text.clear();
    append_graph(text, dataset, i, kinds);
    append_target(text, dataset, i, kinds);
    append_items(text, dataset.node_targets, true, i, next_node);
    append_items(text, dataset.pair_targets, false, i, next_pair);
    text.append(std::string_view("}\n"));
    sink({text.data(), text.size()});
  }
}

}  // namespace twofold::io
