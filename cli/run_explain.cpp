#include "cli/command_explain.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "cli/dataset_input.h"
#include "cli/explain_model.h"
#include "cli/explanation_drawing.h"
#include "cli/explanation_view.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/graph/removal.h"
#include "twofold/io/dataset_file.h"
#include "twofold/report/graph_layout.h"
#include "twofold/report/png.h"
#include "twofold/train/trained_model.h"

namespace twofold::cli {
namespace {

constexpr std::size_t kPrintedRows = 6;

void print_summary(const ExplanationView& view, const ExplainOptions& options, std::ostream& out) {
  fmt::print(out, "{}: {}\n", options.output, view.headline());
  const auto order = view.strongest();
  const std::size_t shown = std::min(order.size(), kPrintedRows);
  if (view.asked)
    fmt::print(out, "the answer can depend on {} nodes and {} edges\n", view.graph->num_nodes(),
               view.graph->num_edges());
  fmt::print(out, "{}, by {}: {}; the strongest {} of {} rows:\n", view.model, view.by, view.meaning, shown,
             order.size());
  const bool has_names =
      !view.node_names.empty() && view.graph->has_node_labels() && !view.graph->node_features();
  Table table(has_names ? std::vector<std::string>{"<nodes", "<names", "<kind", "contribution"}
                        : std::vector<std::string>{"<nodes", "<kind", "contribution"});
  for (std::size_t i = 0; i < shown; ++i) {
    const ExplainedRow& row = view.rows[order[i]];
    std::vector<std::string> cells = {row.u == row.v
                                          ? fmt::format("{}", view.number(row.u))
                                          : fmt::format("{}-{}", view.number(row.u), view.number(row.v))};
    if (has_names) cells.push_back(view.names(row));
    cells.insert(cells.end(), {view.kind(row), fmt::format("{:.4g}", row.contribution)});
    table.add_row(cells);
  }
  if (shown > 0) table.print(out);
}

// From 1, in the order given. `1-20,25`
std::vector<std::size_t> chosen_graphs(const ExplainOptions& options, std::size_t count) {
  constexpr std::size_t kMost = 200;
  if (options.graphs.empty()) {
    if (options.graph == 0) throw UsageError("--graph I or --graphs I-J is required");
    if (options.graph > count)
      throw InputError(
          fmt::format("{}: needed a graph in 1..{}, found --graph {}", options.dataset, count, options.graph));
    return {options.graph};
  }
  std::vector<std::size_t> numbers;
  const auto refuse = [&](const std::string& part) {
    throw UsageError(fmt::format("--graphs: needed numbers in 1..{} as 3 or 1-20, at most {}, found {}", count,
                                 kMost, in_quotes(part)));
  };
  for (std::size_t start = 0; start <= options.graphs.size();) {
    const std::size_t comma = std::min(options.graphs.find(',', start), options.graphs.size());
    const std::string part = options.graphs.substr(start, comma - start);
    start = comma + 1;
    std::size_t first = 0, last = 0;
    const char* const end = part.data() + part.size();
    auto [stop, error] = std::from_chars(part.data(), end, first);
    last = first;
    if (error == std::errc() && stop != end && *stop == '-') {
      const auto second = std::from_chars(stop + 1, end, last);
      stop = second.ptr;
      error = second.ec;
    }
    if (error != std::errc() || stop != end || first < 1 || last < first || last > count) refuse(part);
    for (std::size_t number = first; number <= last; ++number) {
      numbers.push_back(number);
      if (numbers.size() > kMost) refuse(part);
    }
  }
  return numbers;
}

// A node of the graph, from 0.
Node parse_node(const std::string& option, std::string_view text, const Graph& graph) {
  std::size_t node = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), node);
  if (error != std::errc() || stop != text.data() + text.size() || node >= graph.num_nodes())
    throw UsageError(fmt::format("{}: needed a node in 0..{}, found {}", option, graph.num_nodes() - 1,
                                 in_quotes(std::string(text))));
  return static_cast<Node>(node);
}

// The node or pair that is asked about; none for a model of graphs.
std::optional<Item> asked_item(const ExplainOptions& options, const train::TrainedModel& model,
                               const Dataset& dataset) {
  const TargetOf about = model.network ? model.network->settings.model.about : TargetOf::kGraphs;
  const auto refuse = [&](const char* option) {
    throw UsageError(fmt::format("{}: needed a model of {}, found one of {}", option,
                                 std::string(option) == "--node" ? "nodes" : "links", model::to_string(about)));
  };
  if (about != TargetOf::kNodes && !options.node.empty()) refuse("--node");
  if (about != TargetOf::kLinks && !options.link.empty()) refuse("--link");
  if (about == TargetOf::kGraphs) return std::nullopt;
  if (!options.graphs.empty())
    throw UsageError(
        fmt::format("--graphs: needed a model of graphs, found one of {}", model::to_string(about)));
  if (options.graph == 0 && dataset.graphs.size() > 1)
    throw UsageError(
        fmt::format("--graph I is required: {} has {} graphs", options.dataset, dataset.graphs.size()));
  if (options.graph > dataset.graphs.size() || dataset.graphs.empty())
    throw InputError(fmt::format("{}: needed a graph in 1..{}, found --graph {}", options.dataset,
                                 dataset.graphs.size(), options.graph));
  const std::size_t number = std::max<std::size_t>(options.graph, 1) - 1;
  const Graph& graph = dataset.graphs[number];
  const auto g = static_cast<std::uint32_t>(number);
  if (about == TargetOf::kNodes) {
    if (options.node.empty()) throw UsageError("--node V is required: the model is of nodes");
    const Node v = parse_node("--node", options.node, graph);
    return Item{g, v, v};
  }
  if (options.link.empty()) throw UsageError("--link U,V is required: the model is of links");
  const std::size_t comma = options.link.find(',');
  if (comma == std::string::npos)
    throw UsageError(fmt::format("--link: needed two nodes as 3,8, found {}", in_quotes(options.link)));
  const std::string_view text = options.link;
  const Node u = parse_node("--link", text.substr(0, comma), graph);
  const Node v = parse_node("--link", text.substr(comma + 1), graph);
  if (u == v) throw UsageError(fmt::format("--link: needed two different nodes, found {} twice", u));
  return Item{g, std::min(u, v), std::max(u, v)};
}

// Training asks about an edge in a graph without it, so that is how it is asked about here.
bool take_out_edge(const Item& item, Dataset& dataset) {
  Graph& graph = dataset.graphs[item.graph];
  if (!dataset.pair_targets.empty() || !graph.has_edge(item.u, item.v)) return false;
  const std::vector<Edge> edges = graph.edges();
  const auto found = std::find(edges.begin(), edges.end(), Edge{item.u, item.v});
  graph = without_edge(graph, static_cast<std::size_t>(found - edges.begin()));
  return true;
}

}  // namespace

int run_explain(const ExplainOptions& options, std::ostream& out, std::ostream& err) {
  const bool is_png = ends_with(options.output, ".png");
  const bool is_svg = is_png || ends_with(options.output, ".svg");
  const bool is_html = ends_with(options.output, ".html");
  if (!is_svg && !is_html && !ends_with(options.output, ".json"))
    throw UsageError(
        fmt::format("needed an output file .svg, .png, .html or .json, found {}", in_quotes(options.output)));
  require_output_apart(options.output, {options.model, input_of_dataset(options.dataset)});
  if (is_png) report::require_png();
  AtomicFile file(options.output);
  const train::TrainedModel model = train::read_model(options.model);
  Dataset dataset =
      read_input_for(model, options.dataset, options.molecules, options.threads, options.quiet, err);
  const std::optional<Item> item = asked_item(options, model, dataset);
  if (item && item->u != item->v && take_out_edge(*item, dataset) && !options.quiet)
    fmt::print(err, "twofold explain: {}-{} is an edge of {}; it is taken out, as in training\n", item->u,
               item->v, dataset.name);
  const std::vector<std::size_t> numbers = item ? std::vector<std::size_t>{item->graph + std::size_t{1}}
                                                : chosen_graphs(options, dataset.graphs.size());
  for (const std::size_t number : numbers)
    if ((is_svg || is_html) && dataset.smiles.empty() && !item)
      report::require_drawable({&dataset.graphs[number - 1], 1}, "-o FILE.json has the same numbers");
  std::vector<ExplanationView> views;
  for (const std::size_t number : numbers) {
    ProgressOptions shown;
    shown.label = numbers.size() == 1 ? "explain" : fmt::format("explain {}", number);
    shown.unit = "nodes and edges";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    views.push_back(explain_model(model, dataset,
                                  {number - 1, options.by, options.target, options.dataset, options.threads,
                                   options.max_memory, line.progress(), item}));
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ExplanationView& view : views) json.push_back(explanation_json(view));
  const bool is_one = options.graphs.empty();
  if (is_one) json = nlohmann::ordered_json(json[0]);
  const std::string text = is_svg    ? (is_one ? draw_explanation(views[0]) : draw_explanations(views))
                           : is_html ? (is_one ? explanation_page(views[0]) : explanations_page(views))
                                     : json_text(json) + '\n';
  file.write(is_png ? report::png_of_svg(text) : text);
  file.commit();
  if (options.json)
    out << json_text(json) << '\n';
  else if (is_one)
    print_summary(views[0], options, out);
  else
    for (const ExplanationView& view : views) fmt::print(out, "{}\n", view.headline());
  return 0;
}

}  // namespace twofold::cli
