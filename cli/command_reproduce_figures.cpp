#include "cli/command_reproduce_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "twofold/graph/generate_ring.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/graph/power.h"
#include "twofold/io/dataset_file.h"
#include "twofold/report/coloring_drawing.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/objects.h"

namespace twofold::cli {
namespace {

using report::DrawnPanel;
using report::Text;

constexpr std::size_t kRing = 6;

// A power of the ring: its edges, and the pairs at distance 2…r dashed; a color a distance.
DrawnPanel power_panel(const Graph& ring, int radius) {
  DrawnPanel panel{fmt::format("r = {}", radius), &ring, std::vector<std::uint32_t>(kRing, 0), {}};
  for (const Edge row : wl::list_rows(ring, radius)) {
    if (row.u == row.v) continue;
    const std::uint32_t apart = row.v - row.u;
    const std::uint32_t distance = std::min<std::uint32_t>(apart, kRing - apart);
    panel.lines.push_back({row.u, row.v, distance, distance, distance == 1, true});
  }
  return panel;
}

// Two common neighbors k and l of an edge ij, and how the edges to them are labelled. In the first, both edges
// of a neighbor have one label; in the second, the labels cross over.
Graph labelled_square(bool is_crossed) {
  GraphBuilder builder(4);
  const Node i = 0, j = 1, k = 2, l = 3;
  builder.add_edge(i, j);
  builder.add_edge(i, k);
  builder.add_edge(k, j);
  builder.add_edge(i, l);
  builder.add_edge(l, j);
  builder.set_edge_labels(is_crossed ? std::vector<Label>{0, 1, 2, 2, 1} : std::vector<Label>{0, 1, 1, 2, 2});
  return std::move(builder).build();
}

// The colors of a graph's loops and edges, by its rows.
struct RowColors {
  std::vector<Edge> rows;
  std::vector<wl::Color> colors;

  wl::Color of(Node u, Node v) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if ((rows[i].u == u && rows[i].v == v) || (rows[i].u == v && rows[i].v == u)) return colors[i];
    return 0;
  }
};

// After a number of rounds, both graphs refined together.
std::vector<RowColors> color_rows(const std::vector<Graph>& graphs, const std::string& test, int rounds) {
  wl::RefineOptions how;
  how.max_rounds = rounds;
  const wl::Coloring coloring = wl::refine(graphs, wl::parse_test(test), how);
  std::vector<RowColors> all;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const auto colors = coloring.of_graph(g);
    all.push_back({wl::list_rows(graphs[g], 1), {colors.begin(), colors.end()}});
  }
  return all;
}

DrawnPanel color_panel(const std::string& title, const Graph& graph, const RowColors& colors) {
  DrawnPanel panel{title, &graph, std::vector<std::uint32_t>(graph.num_nodes(), 0), {}};
  for (std::size_t i = 0; i < colors.rows.size(); ++i) {
    const Edge row = colors.rows[i];
    if (row.u == row.v)
      panel.node_colors[row.u] = colors.colors[i];
    else
      panel.lines.push_back({row.u, row.v, colors.colors[i], colors.colors[i], true, true});
  }
  return panel;
}

void add_colorings(report::Page& page) {
  const std::vector<Graph> graphs = {labelled_square(false), labelled_square(true)};
  const auto start = color_rows(graphs, "2-wl", 0);
  const auto by_2gnn = color_rows(graphs, "2-gnn", 1);
  const auto by_2wl = color_rows(graphs, "2-wl", 1);
  const auto verdict = [](const std::vector<RowColors>& colors) {
    return colors[0].of(0, 1) == colors[1].of(0, 1) ? "the same" : "different";
  };
  page.section("Two edge colorings that the 2-GNN merges");
  page.drawing(
      [&] {
        std::vector<DrawnPanel> panels;
        for (std::size_t g = 0; g < graphs.size(); ++g) {
          panels.push_back(color_panel(g == 0 ? "first coloring" : "second coloring", graphs[g], start[g]));
          panels.push_back(color_panel("2-GNN, one round", graphs[g], by_2gnn[g]));
          panels.push_back(color_panel("2-WL, one round", graphs[g], by_2wl[g]));
        }
        return report::draw_panels(panels, 3);
      },
      {Text("The edge between the two nodes of degree 3 has two common neighbors. In the first coloring both "
            "edges of a neighbor have "
            "one color, in the second the colors cross over. Each of its ends sees one edge of either color in "
            "both, so the 2-GNN gives "
            "that edge ")
           .strong(verdict(by_2gnn))
           .plain(" color in both; 2-WL, which looks at pairs of edges, gives it ")
           .strong(verdict(by_2wl))
           .plain(" ones. Equal numbers and hues mean the same within a column."),
       ""});
  report::Table table("edge_colorings",
                      {report::text_column("test", "after one round of"),
                       report::number_column("first", "color of ij, first", 0),
                       report::number_column("second", "second", 0), report::text_column("verdict", "")});
  table.add_row({report::text_cell("2-gnn"), report::number_cell(by_2gnn[0].of(0, 1)),
                 report::number_cell(by_2gnn[1].of(0, 1)), report::text_cell(verdict(by_2gnn))});
  table.add_row({report::text_cell("2-wl"), report::number_cell(by_2wl[0].of(0, 1)),
                 report::number_cell(by_2wl[1].of(0, 1)), report::text_cell(verdict(by_2wl))});
  page.table(table, {"Computed, not assumed: both graphs are refined together.", ""});
}

// The graph whose number of nodes is closest to the wanted one, the first of them.
std::size_t typical_graph(const Dataset& dataset, std::size_t nodes) {
  std::size_t best = 0;
  const auto distance = [&](std::size_t g) {
    const std::size_t n = dataset.graphs[g].num_nodes();
    return n > nodes ? n - nodes : nodes - n;
  };
  for (std::size_t g = 1; g < dataset.graphs.size(); ++g)
    if (distance(g) < distance(best)) best = g;
  return best;
}

// The drawing made smaller where it is larger than a page has room for. It keeps its view box, so it only
// shrinks.
std::string shrink(std::string svg) {
  constexpr double kWidth = 760, kHeight = 520;
  static const std::regex pattern("width=\"([0-9]+)\" height=\"([0-9]+)\"");
  std::smatch found;
  if (!std::regex_search(svg, found, pattern)) return svg;
  const double width = std::stod(found[1]), height = std::stod(found[2]);
  const double scale = std::min({1.0, kWidth / width, kHeight / height});
  const std::string size = fmt::format("width=\"{:.0f}\" height=\"{:.0f}\"", scale * width, scale * height);
  return svg.replace(static_cast<std::size_t>(found.position()), static_cast<std::size_t>(found.length()),
                     size);
}

void add_sample(report::Page& page, const FoundDataset& found, std::size_t nodes, int threads) {
  const Dataset dataset = io::read_dataset(found.path, threads);
  const std::size_t g = typical_graph(dataset, nodes);
  const Graph& graph = dataset.graphs[g];
  DrawnPanel panel{"", &graph, std::vector<std::uint32_t>(graph.num_nodes(), 0), {}};
  if (graph.has_node_labels())
    for (Node v = 0; v < graph.num_nodes(); ++v)
      panel.node_colors[v] = static_cast<std::uint32_t>(graph.node_labels()[v]);
  for (const Edge e : graph.edges()) panel.lines.push_back({e.u, e.v, 0, 0, true, false});
  page.drawing(
      [&] { return shrink(report::draw_panels({panel}, 1)); },
      {Text()
           .strong(found.dataset().name)
           .plain(fmt::format(
               ", graph {}: {} nodes, {} edges, {:.2f} edges a node. Numbers and hues are node labels.", g + 1,
               graph.num_nodes(), graph.num_edges(),
               static_cast<double>(graph.num_edges()) / static_cast<double>(graph.num_nodes()))),
       ""});
}

}  // namespace

void declare_reproduce_figures(Options& flags, ReproduceOptions& options) {
  declare_reproduce_page(flags, options);
  declare_reproduce_data(flags, options);
  flags.footer(R"(
The paper's drawings: the powers of the six-cycle; the two edge colorings that a 2-GNN merges and 2-WL does not, with the colors
computed; with --data a graph of PROTEINS and one of D&D. Needs Graphviz; the tables come without. For graphs of your own:
twofold wl colors -o FILE.svg.

Examples:
  twofold reproduce figures -o paper
  twofold reproduce figures --data data -o paper)");
}

int run_reproduce_figures(const ReproduceOptions& options, std::ostream& out, std::ostream& /*err*/) {
  require_output(options);
  report::Page page = start_page("The paper's drawings", "figures", options);
  page.answer(
      "The powers of the six-cycle, two edge colorings that a 2-GNN merges, and proteins of two datasets.");

  page.section("Powers of the six-cycle");
  const Graph ring = graph::union_of_cycles(std::vector<std::size_t>{kRing});
  page.drawing(
      [&] {
        return report::draw_panels({power_panel(ring, 1), power_panel(ring, 2), power_panel(ring, 3)}, 3);
      },
      {"The rows of the 2-WL convolution: edges, and dashed the pairs at distance 2 and 3, a color a distance; "
       "loops are not drawn. "
       "At r = 3 every pair has a row, as in 2-WL.",
       ""});
  report::Table powers("powers",
                       {report::number_column("radius", "r", 0), report::number_column("rows", "rows", 0),
                        report::number_column("triples", "triples", 0)});
  for (int r = 1; r <= 3; ++r) {
    const graph::Balls balls = graph::find_balls(ring, r);
    powers.add_row({report::number_cell(r), report::number_cell(static_cast<double>(balls.num_pairs())),
                    report::number_cell(static_cast<double>(graph::count_power_triples(balls)))});
  }
  page.table(
      powers,
      {"Rows are pairs within the radius, loops included; triples are what the convolution sums over.", ""});

  add_colorings(page);

  constexpr std::size_t kProteins = 2, kDd = 3;
  const std::vector<FoundDataset> datasets = {find_dataset(options.data, kProteins),
                                              find_dataset(options.data, kDd)};
  page.section("A protein of PROTEINS and one of D&D");
  warn_of_missing(page, datasets, options.data);
  for (const FoundDataset& found : datasets)
    if (!found.is_missing()) add_sample(page, found, found.number == kProteins ? 40 : 100, options.threads);
  finish_page(page, "figures", options, {}, datasets, out);
  return 0;
}

}  // namespace twofold::cli
