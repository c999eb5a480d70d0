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

// As the paper prints them; and what it publishes beside.
report::Table printed_table() {
  using report::number_column;
  return report::Table(
      "stats", {report::text_column("dataset", "dataset"), number_column("graphs", "graphs", 0),
                report::text_column("node_data", "node data"), number_column("nodes_min", "nodes, min", 0),
                number_column("nodes_mean", "mean", 1), number_column("nodes_max", "max", 0),
                number_column("edges_min", "edges, min", 0), number_column("edges_mean", "mean", 1),
                number_column("edges_max", "max", 0), report::mean_std_column("degree", "degree", 1)});
}
report::Table further_table() {
  using report::number_column;
  return report::Table(
      "stats_further",
      {report::text_column("dataset", "dataset"), number_column("degree_min", "least degree", 0),
       number_column("degree_max", "largest", 0), report::mean_std_column("radius", "radius", 1)});
}

void add_rows(report::Table& printed, report::Table& further, const std::string& name,
              const PublishedStatistics& s, report::Tone tone) {
  using report::mean_std_cell;
  using report::number_cell;
  const auto add = [&](report::Table& table, std::vector<Cell> cells) {
    for (Cell& cell : cells) cell = cell.with(tone);
    table.add_row(std::move(cells));
  };
  add(printed,
      {report::text_cell(name), number_cell(static_cast<double>(s.graphs)),
       report::text_cell(fmt::format("{} + {}", s.attributes, s.label_columns)), number_cell(s.nodes_min),
       number_cell(s.nodes_mean), number_cell(s.nodes_max), number_cell(s.edges_min), number_cell(s.edges_mean),
       number_cell(s.edges_max), mean_std_cell(s.degree_mean, s.degree_std)});
  add(further, {report::text_cell(name), number_cell(s.degree_min), number_cell(s.degree_max),
                mean_std_cell(s.radius_mean, s.radius_std)});
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

void declare_reproduce_stats(Options& flags, ReproduceOptions& options) {
  declare_reproduce_page(flags, options);
  declare_reproduce_data(flags, options);
  declare_threads(flags, options.threads);
  flags.footer(R"(
The sizes of the paper's six datasets beside its own table (Appendix C): graphs, nodes, edges, node data (attributes + label
columns), degrees and radii. TRIANGLE is built in; the others come from --data. For other datasets: twofold data info.

Examples:
  twofold reproduce stats -o paper
  twofold reproduce stats --data data -o paper)");
}

int run_reproduce_stats(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  require_output(options);
  report::Table table = printed_table(), further = further_table();
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
      add_rows(table, further, found.dataset().name + (found.is_built_in ? " (built-in)" : ""), ours,
               report::Tone::kNone);
      if (found.is_built_in) {
        built_in = true;
      } else {
        ++num_datasets;
        compared += figures_of(ours).size();
        equal += count_equal(ours, theirs);
      }
    }
    add_rows(table, further, found.dataset().name + ", paper", theirs, report::Tone::kFaint);
  }

  report::Page page = start_page("The datasets (Appendix C)", "stats", options);
  if (num_datasets == 0)
    page.answer(
        "Only the built-in TRIANGLE was measured: its graphs are drawn as the paper's were, but are not the "
        "same.");
  else
    page.answer(fmt::format("{}{} figures of {} dataset{} are the paper's, to its last decimal.",
                            equal == compared ? "All " : fmt::format("{} of ", equal), compared, num_datasets,
                            num_datasets == 1 ? "" : "s"));
  warn_of_missing(page, datasets, options.data);
  if (built_in)
    page.note("TRIANGLE is the built-in one: 228 graphs drawn as the paper's were, but not the same ones.");
  page.section("Sizes");
  page.table(table, {"Edges count once each, a self-loop as one edge and as 1 in its node's degree. Node data "
                     "is attributes + "
                     "label columns; where there is neither, a constant is taken (0 + 1).",
                     ""});
  page.table(
      further,
      {"Published with the paper's data, not printed. The radius is averaged over the connected graphs.", ""});
  finish_page(page, "stats", options, {"stats"}, datasets, out);
  return 0;
}

}  // namespace twofold::cli
