#include "cli/command_wl_colors.h"

#include <fmt/ostream.h>

#include <memory>

#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/table.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/io/dataset_file.h"
#include "twofold/report/coloring_drawing.h"
#include "twofold/report/graph_layout.h"
#include "twofold/wl/coloring.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;
using report::DrawnPanel;
using Tuple = std::vector<Node>;

// The chosen graphs with their objects and the colors of each round that is shown, the last one being stable.
struct ShownColors {
  wl::WlTest test;
  std::vector<std::size_t> numbers;  // of the graphs in the dataset, from 0
  std::vector<Graph> graphs;
  std::vector<std::vector<Tuple>> objects;                  // a graph
  std::vector<std::vector<std::vector<wl::Color>>> rounds;  // a round, a graph
  std::vector<std::size_t> colors_of_round;
  std::size_t num_rounds = 0;  // until stable; 0 if not counted
};

std::vector<Tuple> list_objects(const Graph& graph, const wl::WlTest& test) {
  const std::size_t n = graph.num_nodes();
  std::vector<Tuple> objects;
  if (test.marks > 0) return wl::marked_tuples(n, test.marks);
  switch (test.kind) {
    case wl::Kind::kVertices:
      for (Node v = 0; v < n; ++v) objects.push_back({v});
      break;
    case wl::Kind::kTuples: {
      Tuple tuple(static_cast<std::size_t>(test.k), 0);
      const std::uint64_t count = wl::count_objects(graph, test);
      for (std::uint64_t i = 0; i < count; ++i) {
        objects.push_back(tuple);
        for (std::size_t j = tuple.size(); j > 0 && ++tuple[j - 1] == n; --j) tuple[j - 1] = 0;
      }
      break;
    }
    case wl::Kind::kRows:
    case wl::Kind::kEdges:
      for (const Edge row :
           wl::list_rows(graph, test.kind == wl::Kind::kEdges ? graph::PowerRadius(1) : test.radius))
        objects.push_back({row.u, row.v});
      break;
  }
  return objects;
}

void add_round(ShownColors& shown, const std::vector<std::uint32_t>& colors, std::size_t num_colors) {
  shown.rounds.emplace_back();
  std::size_t at = 0;
  for (const auto& objects : shown.objects) {
    shown.rounds.back().emplace_back(colors.begin() + static_cast<std::ptrdiff_t>(at),
                                     colors.begin() + static_cast<std::ptrdiff_t>(at + objects.size()));
    at += objects.size();
  }
  shown.colors_of_round.push_back(num_colors);
}

ShownColors compute_colors(const Dataset& dataset, const WlColorsOptions& options, const wl::WlTest& test,
                           const wl::ClassifyOptions& how) {
  ShownColors shown;
  shown.test = test;
  for (const std::size_t g : options.graphs) {
    if (g < 1 || g > dataset.graphs.size())
      throw InputError(fmt::format("needed a graph in 1..{}, found --graph {}", dataset.graphs.size(), g));
    shown.numbers.push_back(g - 1);
  }
  if (options.graphs.empty())
    for (std::size_t g = 0; g < dataset.graphs.size(); ++g) shown.numbers.push_back(g);
  for (const std::size_t g : shown.numbers) shown.graphs.push_back(dataset.graphs[g]);
  if (!options.output.empty())
    report::require_drawable(shown.graphs, "choose fewer or smaller ones with --graph");

  if (test.marks > 0) {
    const wl::Classes classes = wl::classify_marked(shown.graphs, test, how);
    for (const Graph& g : shown.graphs) shown.objects.push_back(list_objects(g, test));
    add_round(shown, classes.class_of, classes.num_classes);
    return shown;
  }
  wl::RefineOptions refine_options;
  refine_options.threads = how.threads;
  refine_options.max_memory = how.max_memory;
  if (options.rounds)
    refine_options.after_round = [&](const wl::Coloring& coloring) {
      if (shown.objects.empty())
        for (const Graph& g : shown.graphs) shown.objects.push_back(list_objects(g, test));
      add_round(shown, coloring.colors, coloring.num_colors);
      return true;
    };
  const wl::Coloring coloring = wl::refine(shown.graphs, test, refine_options);
  if (!options.rounds) {
    for (const Graph& g : shown.graphs) shown.objects.push_back(list_objects(g, test));
    add_round(shown, coloring.colors, coloring.num_colors);
  }
  shown.num_rounds = coloring.num_rounds;
  return shown;
}

ordered_json result_json(const ShownColors& shown, bool with_rounds) {
  ordered_json result = to_json(shown.test);
  result["graphs"] = shown.graphs.size();
  result["colors"] = shown.colors_of_round.back();
  if (with_rounds) {
    result["rounds"] = shown.num_rounds;
    result["colors_of_round"] = shown.colors_of_round;
  }
  result["colorings"] = ordered_json::array();
  for (std::size_t g = 0; g < shown.graphs.size(); ++g) {
    ordered_json one = {{"graph", shown.numbers[g] + 1}, {"objects", shown.objects[g]}};
    one["colors"] = shown.rounds.back()[g];
    if (with_rounds) {
      one["color_rounds"] = ordered_json::array();
      for (const auto& round : shown.rounds) one["color_rounds"].push_back(round[g]);
    }
    result["colorings"].push_back(one);
  }
  return result;
}

void print_table(const ShownColors& shown, bool with_rounds, std::ostream& out) {
  if (with_rounds)
    fmt::print(out, "{}: stable after {} round{}, colors {}\n", wl::describe(shown.test), shown.num_rounds,
               shown.num_rounds == 1 ? "" : "s", fmt::join(shown.colors_of_round, " "));
  else
    fmt::print(out, "{}: {} color{}\n", wl::describe(shown.test), shown.colors_of_round.back(),
               shown.colors_of_round.back() == 1 ? "" : "s");
  const bool nodes = shown.test.marks == 0 && shown.test.kind == wl::Kind::kVertices;
  std::vector<std::string> headers = {"graph", nodes ? "node" : "nodes"};
  if (with_rounds)
    for (std::size_t t = 0; t < shown.rounds.size(); ++t) headers.push_back(fmt::format("round {}", t));
  else
    headers.emplace_back("color");
  Table table(headers);
  for (std::size_t g = 0; g < shown.graphs.size(); ++g)
    for (std::size_t i = 0; i < shown.objects[g].size(); ++i) {
      std::vector<std::string> cells = {std::to_string(shown.numbers[g] + 1),
                                        fmt::format("{}", fmt::join(shown.objects[g][i], "-"))};
      for (const auto& round : shown.rounds) cells.push_back(std::to_string(round[g][i]));
      table.add_row(std::move(cells));
    }
  table.print(out);
}

// What stands for nodes and for pairs of them: loops and rows, (v, …, v) and (u, …, u, v).
DrawnPanel make_panel(const ShownColors& shown, std::size_t round, std::size_t g, bool with_rounds) {
  const Graph& graph = shown.graphs[g];
  const auto& colors = shown.rounds[round][g];
  DrawnPanel panel;
  panel.title = fmt::format("graph {}", shown.numbers[g] + 1);
  if (with_rounds) panel.title += fmt::format(", round {}", round);
  panel.graph = &graph;
  panel.node_colors.assign(graph.num_nodes(), 0);
  const std::size_t n = graph.num_nodes();
  if (shown.test.marks > 0 || shown.test.kind == wl::Kind::kVertices) {
    panel.node_colors.assign(colors.begin(), colors.end());
    for (const Edge e : graph.edges()) panel.lines.push_back({e.u, e.v, 0, 0, true, false});
    return panel;
  }
  if (shown.test.kind == wl::Kind::kTuples) {
    std::size_t all_places = 0;
    std::size_t place = 1;
    for (int j = 0; j < shown.test.k; ++j, place *= n) all_places += place;
    for (Node v = 0; v < n; ++v) panel.node_colors[v] = colors[v * all_places];
    for (Node u = 0; u < n; ++u)
      for (Node v = u + 1; v < n; ++v)
        panel.lines.push_back({u, v, colors[u * (all_places - 1) + v], colors[v * (all_places - 1) + u],
                               graph.has_edge(u, v), true});
    return panel;
  }
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const Node u = shown.objects[g][i][0];
    const Node v = shown.objects[g][i][1];
    if (u == v)
      panel.node_colors[u] = colors[i];
    else
      panel.lines.push_back({u, v, colors[i], colors[i], graph.has_edge(u, v), true});
  }
  return panel;
}

std::string draw(const ShownColors& shown, bool with_rounds) {
  std::vector<DrawnPanel> panels;
  for (std::size_t g = 0; g < shown.graphs.size(); ++g)
    for (std::size_t round = 0; round < shown.rounds.size(); ++round)
      panels.push_back(make_panel(shown, round, g, with_rounds));
  return report::draw_panels(panels, shown.rounds.size());
}

}  // namespace

void declare_wl_colors(Options& flags, WlColorsOptions& options) {
  declare_wl(flags, options);
  flags.add("--graph", options.graphs, "Only these graphs, counted from 1; they are refined together")
      .comma_separated()
      .type_name("I,…");
  flags.add_flag("--rounds", options.rounds, "Every round until no color splits, not only the last");
  declare_output(flags, options.output, "Draw the colors into this SVG file (needs Graphviz)");
  flags.footer(R"(
All graphs are refined together, so equal colors mean the same everywhere. Nodes count from 0. Colors are numbered by
their first use. With --marks M an object is a choice of M marked nodes and its color the class of the graph so marked.

Examples:
  twofold wl colors molecules.g6 --graph 1 --test 1-wl --rounds
  twofold wl colors pair.g6 --test 2-wl --radius 2 -o pair.svg)");
}

int run_wl_colors(const WlColorsOptions& options, std::ostream& out, std::ostream& err) {
  const wl::WlTest test = test_of(options);
  if (test.marks > 0 && options.rounds)
    throw UsageError("--rounds shows one refinement, --marks runs many: give only one of them");
  if (test.marks > 1 && !options.output.empty())
    throw UsageError("a drawing shows nodes: -o takes at most --marks 1");
  require_output_apart(options.output, {input_of_dataset(options.dataset)});
  std::unique_ptr<AtomicFile> file;
  if (!options.output.empty()) file = std::make_unique<AtomicFile>(options.output);
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  const ShownColors shown = compute_with_progress(
      options, err, "marked graphs",
      [&](const wl::ClassifyOptions& how) { return compute_colors(dataset, options, test, how); });
  if (file) {
    file->write(draw(shown, options.rounds));
    file->commit();
  }
  if (options.json)
    out << result_json(shown, options.rounds).dump() << '\n';
  else
    print_table(shown, options.rounds, out);
  return 0;
}

}  // namespace twofold::cli
