#include "cli/command_reproduce_cycles.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "cli/options.h"
#include "cli/progress.h"
#include "cli/reproduce_runs.h"
#include "twofold/graph/cycle_counts.h"
#include "twofold/io/dataset_file.h"
#include "twofold/paper/experiments.h"

namespace twofold::cli {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Counting all cycles of 7 nodes in IMDB-B's cliques takes minutes and says no more.
constexpr graph::CycleLengths kLengths = {3, 6};

struct CycleFigures {
  double cyclic_graphs = 0;         // percent that have a cycle
  double independent = 0;           // m - n + components, a graph
  double independent_per_node = 0;  // the same in all, over all nodes
  std::vector<double> cycles;       // a length: a graph
  std::vector<double> shortest;     // a length: percent of the edges whose shortest cycle it is
  double no_short_cycle = 0;        // percent of the edges on no cycle of these lengths
};

std::size_t num_components(const Graph& g) {
  std::vector<bool> seen(g.num_nodes(), false);
  std::vector<Node> todo;
  std::size_t count = 0;
  for (Node start = 0; start < g.num_nodes(); ++start) {
    if (seen[start]) continue;
    ++count;
    seen[start] = true;
    todo.push_back(start);
    while (!todo.empty()) {
      const Node v = todo.back();
      todo.pop_back();
      for (const Node u : g.neighbors(v))
        if (!seen[u]) {
          seen[u] = true;
          todo.push_back(u);
        }
    }
  }
  return count;
}

CycleFigures measure(const Dataset& dataset, const graph::CountCyclesOptions& how) {
  CycleFigures found;
  found.cycles.assign(kLengths.count(), 0);
  found.shortest.assign(kLengths.count(), 0);
  double edges = 0, nodes = 0, independent = 0;
  const std::vector<graph::CycleCounts> counts = graph::count_cycles(dataset.graphs, kLengths, how);
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    const auto own =
        static_cast<double>(graph.num_edges() + num_components(graph)) - static_cast<double>(graph.num_nodes());
    if (own > 0) ++found.cyclic_graphs;
    independent += own;
    nodes += static_cast<double>(graph.num_nodes());
    edges += static_cast<double>(graph.num_edges());
    for (std::size_t i = 0; i < kLengths.count(); ++i)
      found.cycles[i] += static_cast<double>(counts[g].in_graph[i]);
    for (std::size_t e = 0; e < graph.num_edges(); ++e) {
      const auto of_edge = counts[g].of_edge(e);
      std::size_t i = 0;
      while (i < of_edge.size() && of_edge[i] == 0) ++i;
      ++(i < of_edge.size() ? found.shortest[i] : found.no_short_cycle);
    }
  }
  const auto graphs = static_cast<double>(dataset.graphs.size());
  found.cyclic_graphs *= 100 / graphs;
  found.independent = independent / graphs;
  found.independent_per_node = nodes > 0 ? independent / nodes : 0;
  for (double& count : found.cycles) count /= graphs;
  for (double& count : found.shortest) count *= edges > 0 ? 100 / edges : 0;
  found.no_short_cycle *= edges > 0 ? 100 / edges : 0;
  return found;
}

// The paper's gain in test accuracy from r = 1 to its largest radius.
double published_gain(std::size_t dataset, bool is_weighted) {
  double first = kNone, last = kNone;
  const std::vector<int> radii = paper::published_radii_of(dataset);
  if (radii.size() < 2) return kNone;
  for (const paper::RadiusPoint& point : paper::published_radii()) {
    if (point.is_weighted != is_weighted || std::isnan(point.test[dataset].mean)) continue;
    if (point.radius == 1) first = point.test[dataset].mean;
    // IMDB-B is the same from r = 2 on; the paper takes 4.
    if (point.radius == paper::paper_datasets()[dataset].radius) last = point.test[dataset].mean;
  }
  return last - first;
}

// Ours, from the runs of `reproduce radius` in the output folder.
double our_gain(const FoundDataset& found, bool is_weighted, const ReproduceOptions& options) {
  const int radius = found.dataset().radius;
  if (radius == 1) return kNone;
  const auto runs = read_runs(
      {{found}, {{paper::radius_learner(is_weighted, 1), paper::radius_learner(is_weighted, radius)}}},
      options);
  if (!runs[0].record || !runs[1].record) return kNone;
  return runs[1].record->test_mean - runs[0].record->test_mean;
}

report::Column signed_column(const char* key, const char* title) {
  report::Column column = report::number_column(key, title, 1);
  column.with_sign = true;
  return column;
}

report::Cell number_or_empty(double value) {
  return std::isnan(value) ? report::empty_cell() : report::number_cell(value);
}

struct Measured {
  FoundDataset found;
  CycleFigures figures;
};

// The dataset that gains most and the one that gains least, with what sets them apart.
std::string answer_of(const std::vector<Measured>& all) {
  const Measured *most = nullptr, *least = nullptr;
  for (const Measured& one : all) {
    const double gain = published_gain(one.found.number, false);
    if (std::isnan(gain)) continue;
    if (most == nullptr || gain > published_gain(most->found.number, false)) most = &one;
    if (least == nullptr || gain < published_gain(least->found.number, false)) least = &one;
  }
  if (most == nullptr || most == least)
    return "How cyclic the datasets are, beside what the paper gains from a larger radius.";
  const auto say = [](const Measured& one) {
    const double of_five = one.figures.shortest[2] + one.figures.shortest[3];
    return fmt::format(
        "{} ({:+.1f} points; the shortest cycle through an edge has 5 or 6 nodes for {:.0f} % of its edges, 3 "
        "for {:.0f} %)",
        one.found.dataset().name, published_gain(one.found.number, false), of_five, one.figures.shortest[0]);
  };
  return fmt::format("From a larger radius the paper gains most on {}, least on {}.", say(*most), say(*least));
}

}  // namespace

void declare_reproduce_cycles(Options& flags, ReproduceOptions& options) {
  declare_reproduce_page(flags, options);
  declare_reproduce_data(flags, options);
  flags.add_flag("--quick", options.quick, "Take our gains from the runs of reproduce radius --quick");
  declare_threads(flags, options.threads);
  flags.footer(R"(
The paper supposes (Appendix D) that a radius above 1 helps where graphs have cycles. This counts them: graphs that have one,
independent cycles, simple cycles of 3 to 6 nodes, the shortest cycle through each edge; beside the gain in accuracy from
r = 1 to the paper's radius, the paper's and ours (from the runs of reproduce radius in the same folder). For single
graphs: twofold wl count.

Examples:
  twofold reproduce cycles -o paper
  twofold reproduce cycles --data data -o paper)");
}

int run_reproduce_cycles(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  require_output(options);
  std::vector<FoundDataset> datasets;
  std::vector<Measured> all;
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d) {
    datasets.push_back(find_dataset(options.data, d));
    if (datasets.back().is_missing()) continue;
    ProgressOptions shown;
    shown.label = datasets.back().dataset().folder;
    shown.unit = "edges";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    graph::CountCyclesOptions how;
    how.threads = options.threads;
    how.progress = line.progress();
    all.push_back({datasets.back(), measure(io::read_dataset(datasets.back().path, options.threads), how)});
  }

  using report::number_cell;
  using report::number_column;
  using report::text_column;
  report::Table gains("cycles",
                      {text_column("dataset", "dataset"), number_column("cyclic", "with a cycle (%)", 1),
                       number_column("independent", "independent", 1), number_column("per_node", "per node", 2),
                       signed_column("paper_mean", "gain, mean"), signed_column("paper_weighted", "weighted"),
                       signed_column("our_mean", "ours, mean"), signed_column("our_weighted", "weighted")});
  std::vector<report::Column> by_length = {text_column("dataset", "dataset")}, by_edge = by_length;
  for (int length = kLengths.shortest; length <= kLengths.longest; ++length) {
    by_length.push_back(number_column(fmt::format("cycles_{}", length), fmt::format("{} nodes", length), 1));
    by_edge.push_back(number_column(fmt::format("shortest_{}", length), fmt::format("{} nodes", length), 1));
  }
  by_edge.push_back(number_column("no_short_cycle", "longer or none", 1));
  report::Table lengths("cycle_lengths", by_length), shortest("shortest_cycles", by_edge);
  for (const Measured& one : all) {
    const CycleFigures& figures = one.figures;
    const report::Cell name = report::text_cell(one.found.dataset().name);
    gains.add_row({name, number_cell(figures.cyclic_graphs), number_cell(figures.independent),
                   number_cell(figures.independent_per_node),
                   number_or_empty(published_gain(one.found.number, false)),
                   number_or_empty(published_gain(one.found.number, true)),
                   number_or_empty(our_gain(one.found, false, options)),
                   number_or_empty(our_gain(one.found, true, options))});
    std::vector<report::Cell> counts = {name}, shares = {name};
    for (const double count : figures.cycles) counts.push_back(number_cell(count));
    for (const double share : figures.shortest) shares.push_back(number_cell(share));
    shares.push_back(number_cell(figures.no_short_cycle));
    lengths.add_row(std::move(counts));
    shortest.add_row(std::move(shares));
  }

  report::Page page = start_page("Cycles and the radius (Appendix D)", "cycles", options);
  page.answer(answer_of(all));
  warn_of_missing(page, datasets, options.data);
  page.section("Cycles, and the gain from a larger radius");
  page.table(gains,
             {"Graphs that have a cycle; independent cycles (m - n + components) per graph, and per node; "
              "and points of test accuracy "
              "gained from r = 1 to the paper's radius by the 2-WL-GNN without an MLP, with mean and "
              "weighted mean, the paper's and "
              "ours.",
              ""});
  page.section("Lengths of cycles");
  page.table(shortest, {"Percent of all edges by the length of the shortest cycle through them.", ""});
  page.table(lengths,
             {"Simple cycles per graph, chords or not, each counted once. Self-loops do not count.", ""});
  finish_page(page, "cycles", options, {}, datasets, out);
  return 0;
}

}  // namespace twofold::cli
