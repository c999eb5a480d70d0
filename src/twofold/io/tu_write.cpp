#include <algorithm>
#include <charconv>
#include <functional>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/io/tu.h"
#include "twofold/io/written_targets.h"

namespace twofold::io {
namespace {

using Text = fmt::memory_buffer;

void append_row(Text& text, Span<const double> row) {
  for (std::size_t i = 0; i < row.size(); ++i)
    fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? "" : ", ", row[i]);
  text.push_back('\n');
}

// Calls add(u, v, number) for each line of _A: an edge in both directions, ordered by its first node; then
// loops.
template <typename Add>
void for_each_entry(const Graph& g, Add&& add) {
  // The edges' numbers by arc: counted along, as edges are numbered by (smaller, larger) end.
  const auto edges = g.edges();
  for (Node u = 0; u < g.num_nodes(); ++u)
    for (const Node v : g.neighbors(u)) {
      const Edge e{std::min(u, v), std::max(u, v)};
      const auto place = std::lower_bound(edges.begin(), edges.end(), e,
                                          [](Edge a, Edge b) { return a.u != b.u ? a.u < b.u : a.v < b.v; });
      add(u, v, static_cast<std::size_t>(place - edges.begin()));
    }
  std::size_t number = g.num_edges();
  for (const Node v : g.self_loops()) add(v, v, number++);
}

}  // namespace

bool has_integer_classes(const Dataset& dataset) {
  return std::all_of(dataset.class_names.begin(), dataset.class_names.end(), [](const std::string& name) {
    std::int32_t value = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, value);
    return error == std::errc() && stop == end;
  });
}

void write_tu_dataset(const Dataset& dataset, const std::string& folder) {
  if (!dataset.has_classes() && dataset.num_real_targets == 0 && dataset.node_targets.empty())
    throw InputError(
        fmt::format("cannot write {} as a TU folder: needed a class or real target for each graph, or node "
                    "targets, found none; a "
                    ".jsonl, .g6 or .s6 file "
                    "can do without",
                    folder));
  for (std::size_t i = 0; i < dataset.graphs.size(); ++i)
    if (dataset.graphs[i].num_nodes() == 0)
      throw InputError(fmt::format(
          "cannot write {} as a TU folder: needed nodes in every graph, found none in graph {}", folder, i));
  Text node_targets;
  for (std::size_t i = 0; i < dataset.node_targets.items.size(); ++i)
    fmt::format_to(std::back_inserter(node_targets), "{}\n",
                   target_word(dataset.node_targets, i, fmt::format("cannot write {} as a TU folder", folder)));
  AtomicFolder out(folder);
  const std::string name = file_name(folder);
  const auto any = [&](const std::function<bool(const Graph&)>& has) {
    return std::any_of(dataset.graphs.begin(), dataset.graphs.end(), has);
  };
  const bool node_labels = any([](const Graph& g) { return g.has_node_labels(); });
  const bool node_attributes = any([](const Graph& g) { return g.num_node_attributes() > 0; });
  const bool edge_labels = any([](const Graph& g) { return g.has_edge_labels(); });
  const bool edge_attributes = any([](const Graph& g) { return g.num_edge_attributes() > 0; });

  Text entries, indicator, labels, attributes, edge_label_text, edge_attribute_text;
  std::size_t first = 1;
  for (std::size_t i = 0; i < dataset.graphs.size(); ++i) {
    const Graph& g = dataset.graphs[i];
    for (Node v = 0; v < g.num_nodes(); ++v) {
      fmt::format_to(std::back_inserter(indicator), "{}\n", i + 1);
      if (node_labels) fmt::format_to(std::back_inserter(labels), "{}\n", g.node_labels()[v]);
      if (node_attributes) append_row(attributes, g.node_attributes(v));
    }
    for_each_entry(g, [&](Node u, Node v, std::size_t number) {
      fmt::format_to(std::back_inserter(entries), "{}, {}\n", first + u, first + v);
      if (edge_labels) fmt::format_to(std::back_inserter(edge_label_text), "{}\n", g.edge_labels()[number]);
      if (edge_attributes) append_row(edge_attribute_text, g.edge_attributes(number));
    });
    first += g.num_nodes();
  }
  const auto write = [&](const char* suffix, const Text& text) {
    out.write_file(name + suffix + ".txt", {text.data(), text.size()});
  };
  write("_A", entries);
  write("_graph_indicator", indicator);
  if (node_labels) write("_node_labels", labels);
  if (node_attributes) write("_node_attributes", attributes);
  if (edge_labels) write("_edge_labels", edge_label_text);
  if (edge_attributes) write("_edge_attributes", edge_attribute_text);
  if (!dataset.node_targets.empty()) write("_node_targets", node_targets);
  if (dataset.has_classes()) {
    Text classes;
    const bool as_written = has_integer_classes(dataset);
    for (const std::uint32_t c : dataset.class_of)
      if (as_written)
        fmt::format_to(std::back_inserter(classes), "{}\n", dataset.class_names[c]);
      else
        fmt::format_to(std::back_inserter(classes), "{}\n", c);
    write("_graph_labels", classes);
  }
  if (dataset.num_real_targets > 0) {
    Text targets;
    for (std::size_t i = 0; i < dataset.graphs.size(); ++i)
      append_row(targets,
                 {dataset.real_targets.data() + i * dataset.num_real_targets, dataset.num_real_targets});
    write("_graph_attributes", targets);
  }
  out.commit();
}

}  // namespace twofold::io
