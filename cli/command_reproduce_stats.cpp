#include "cli/command_reproduce_stats.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/options.h"
#include "cli/progress.h"
#include "twofold/graph/statistics.h"
#include "twofold/io/dataset_file.h"

namespace twofold::cli {
namespace {

using graph::DatasetStatistics;
using paper::PublishedStatistics;
using report::Cell;

// Ours in the form of the paper's, so that both are one kind of row.
PublishedStatistics in_paper_form(const DatasetStatistics& s) {
  PublishedStatistics row;
  row.graphs = s.graphs;
  row.nodes_min = s.nodes.min, row.nodes_mean = s.nodes.mean, row.nodes_max = s.nodes.max;
  row.edges_min = s.edges.min, row.edges_mean = s.edges.mean, row.edges_max = s.edges.max;
  row.attributes = s.node_attributes;
  const bool has_nothing = s.node_attributes == 0 && s.node_labels.used == 0;
  row.label_columns = has_nothing ? 1 : s.node_labels.columns;
  row.degree_min = s.degree.min, row.degree_mean = s.degree.mean;
  row.degree_std = s.degree.std, row.degree_max = s.degree.max;
  row.radius_mean = s.radius.mean, row.radius_std = s.radius.std;
  return row;
}

// All figures of a row, in one order.
std::vector<double> figures_of(const PublishedStatistics& s) {
  return {static_cast<double>(s.graphs),
          s.nodes_min,
          s.nodes_mean,
          s.nodes_max,
          s.edges_min,
          s.edges_mean,
          s.edges_max,
          static_cast<double>(s.attributes),
          static_cast<double>(s.label_columns),
          s.degree_min,
          s.degree_mean,
          s.degree_std,
          s.degree_max,
          s.radius_mean,
          s.radius_std};
}

std::vector<report::Column> columns() {
  using report::mean_std_column;
  using report::number_column;
  using report::text_column;
  return {text_column("dataset", "dataset"),
          text_column("source", ""),
          number_column("graphs", "graphs", 0),
          number_column("nodes_min", "nodes, min", 0),
          number_column("nodes_mean", "mean", 1),
          number_column("nodes_max", "max", 0),
          number_column("edges_min", "edges, min", 0),
          number_column("edges_mean", "mean", 1),
          number_column("edges_max", "max", 0),
          text_column("node_data", "node data"),
          number_column("degree_min", "degree, min", 0),
          mean_std_column("degree", "mean ± σ", 1),
          number_column("degree_max", "max", 0),
          mean_std_column("radius", "radius", 1)};
}

std::vector<Cell> cells_of(const std::string& name, const std::string& source, const PublishedStatistics& s) {
  using report::mean_std_cell;
  using report::number_cell;
  using report::text_cell;
  return {text_cell(name),
          text_cell(source),
          number_cell(static_cast<double>(s.graphs)),
          number_cell(s.nodes_min),
          number_cell(s.nodes_mean),
          number_cell(s.nodes_max),
          number_cell(s.edges_min),
          number_cell(s.edges_mean),
          number_cell(s.edges_max),
          text_cell(fmt::format("{} + {}", s.attributes, s.label_columns)),
          number_cell(s.degree_min),
          mean_std_cell(s.degree_mean, s.degree_std),
          number_cell(s.degree_max),
          mean_std_cell(s.radius_mean, s.radius_std)};
}

// Figures that are the paper's when rounded to its one decimal.
std::size_t count_equal(const PublishedStatistics& ours, const PublishedStatistics& theirs) {
  const std::vector<double> a = figures_of(ours), b = figures_of(theirs);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) <= 0.05 + 1e-9) ++equal;
  return equal;
}

}  // namespace

void declare_reproduce_stats(CLI::App& app, ReproduceOptions& options) {
  declare_reproduce_page(app, options);
  declare_reproduce_data(app, options);
  declare_threads(app, options.threads);
  app.footer(R"(
The sizes of the paper's six datasets beside its own table (Appendix C): graphs, nodes, edges, node data (attributes + label
columns), degrees and radii. TRIANGLE is built in; the others come from --data. For other datasets: twofold data info.

Examples:
  twofold reproduce stats -o paper
  twofold reproduce stats --data data -o paper)");
}

int run_reproduce_stats(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  require_output(options);
  report::Table table("stats", columns());
  std::vector<FoundDataset> datasets;
  std::size_t compared = 0, equal = 0, num_datasets = 0;
  bool built_in = false;
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d) {
    const FoundDataset found = find_dataset(options.data, d);
    datasets.push_back(found);
    const PublishedStatistics& theirs = paper::published_statistics()[d];
    if (!found.is_missing()) {
      ProgressOptions shown;
      shown.label = found.dataset().folder;
      shown.unit = "graphs";
      shown.quiet = options.quiet;
      ProgressLine line(err, shown);
      graph::StatisticsOptions how;
      how.threads = options.threads;
      how.progress = line.progress();
      const PublishedStatistics ours =
          in_paper_form(graph::describe(io::read_dataset(found.path, options.threads), how));
      table.add_row(cells_of(found.dataset().name, found.is_built_in ? "built-in" : "measured", ours));
      if (found.is_built_in) {
        built_in = true;
      } else {
        ++num_datasets;
        compared += figures_of(ours).size();
        equal += count_equal(ours, theirs);
      }
    }
    std::vector<Cell> cells = cells_of(found.is_missing() ? found.dataset().name : "", "paper", theirs);
    for (Cell& cell : cells) cell = cell.with(report::Tone::kFaint);
    table.add_row(std::move(cells));
  }

  report::Page page = start_page("The datasets (Appendix C)", "stats", options);
  if (num_datasets == 0)
    page.answer(
        "Only the built-in TRIANGLE was measured: its graphs are drawn as the paper's were, but are not the "
        "same.");
  else
    page.answer(fmt::format("{} of {} figures of {} dataset{} are the paper's, to its last decimal.",
                            equal == compared ? "All" : std::to_string(equal), compared, num_datasets,
                            num_datasets == 1 ? "" : "s"));
  warn_of_missing(page, datasets, options.data);
  if (built_in)
    page.note("TRIANGLE is the built-in one: 228 graphs drawn as the paper's were, but not the same ones.");
  page.section("Sizes");
  page.table(table, {"Edges count once each, a self-loop as one edge and as 1 in its node's degree. Node data "
                     "is attributes + label "
                     "columns; where there is neither, a constant is taken (0 + 1). The radius is averaged "
                     "over the connected graphs; the "
                     "paper publishes it with its data but does not print it.",
                     ""});
  finish_page(page, "stats", options, {}, out);
  return 0;
}

}  // namespace twofold::cli
