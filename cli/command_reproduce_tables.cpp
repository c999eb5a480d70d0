#include "cli/command_reproduce_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/reproduce_comparison.h"
#include "cli/reproduce_runs.h"
#include "twofold/train/learners.h"

namespace twofold::cli {
namespace {

using report::Cell;
using report::Text;
using report::Tone;

// A table of the paper: which datasets are its columns.
struct PaperTable {
  std::string name;
  std::string title;
  std::size_t first = 0;
  std::size_t count = 0;
};
const PaperTable kTable1 = {"table1", "Table 1: TRIANGLE", paper::kTriangle, 1};
const PaperTable kTable2 = {"table2", "Table 2: five real datasets", paper::kTriangle + 1,
                            paper::kNumDatasets - 1};

// A row: a learner of the paper's with what it printed, or one of ours.
struct TableRow {
  const paper::Learner* learner = nullptr;
  const paper::PublishedRow* published = nullptr;  // none for ours

  // What stands above it and its like.
  const char* group() const {
    if (published == nullptr) return "Ours";
    return published->is_kernel ? "Graph kernels" : "Networks";
  }
  paper::PublishedCell cell(std::size_t dataset) const {
    if (published != nullptr) return published->cells[dataset];
    const paper::Figure none{paper::kNone, paper::kNone};
    return {paper::CellState::kNotInPaper, none, none, false, ""};
  }
};

// The rows of the table; T = 5 of the WL subtree kernel is in Table 1 only.
std::vector<TableRow> rows_of(const PaperTable& table) {
  std::vector<TableRow> rows;
  for (std::size_t r = 0; r < paper::published_results().size(); ++r)
    if (table.first == paper::kTriangle || paper::published_results()[r].in_table2)
      rows.push_back({&paper::table_learners()[r], &paper::published_results()[r]});
  for (const paper::Learner& learner : paper::our_learners()) rows.push_back({&learner, nullptr});
  return rows;
}

RunRequest request_of(const PaperTable& table, const ReproduceOptions& options) {
  RunRequest request;
  request.name = table.name;
  for (std::size_t d = table.first; d < table.first + table.count; ++d) {
    request.datasets.push_back(find_dataset(options.data, d));
    request.learners.emplace_back();
    for (const TableRow& row : rows_of(table)) request.learners.back().push_back(*row.learner);
  }
  return request;
}

// As the paper prints it, learners by datasets; below each of our figures stands the paper's.
report::Table overview(const PaperTable& table, const std::vector<std::vector<ComparedRun>>& columns,
                       const std::vector<TableRow>& rows) {
  std::vector<report::Column> heads = {report::text_column("learner", "learner")};
  for (const auto& column : columns)
    heads.push_back(report::mean_std_column(column[0].run->dataset.dataset().folder,
                                            column[0].run->dataset.dataset().name, 1));
  report::Table result(table.name, heads);
  std::string group;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (group != rows[i].group()) result.start_group(group = rows[i].group());
    std::vector<Cell> cells = {report::text_cell(rows[i].learner->name)};
    for (const auto& column : columns) {
      Cell cell = our_cell(column[i]);
      if (rows[i].published != nullptr) {
        const std::string sigmas = sigma_text(column[i].comparison);
        cell = cell.with_note("paper " + published_text(column[i].published) +
                              (sigmas.empty() ? "" : ", " + sigmas));
      }
      cells.push_back(cell);
    }
    result.add_row(std::move(cells));
  }
  return result;
}

Text answer_of(const PaperTable& table, const std::vector<std::vector<ComparedRun>>& columns,
               const std::vector<ComparedRun>& all) {
  if (table.count > 1) return agreement_sentence(all);
  const ComparedRun* best = nullptr;
  for (const ComparedRun& run : columns[0])
    if (run.run->test() && (best == nullptr || run.run->test()->mean > best->run->test()->mean)) best = &run;
  if (best == nullptr) return agreement_sentence(all);
  const std::string theirs =
      best->run->plan.learner.is_ours ? "" : ", where the paper has " + published_text(best->published);
  return Text("The best mean is that of ")
      .strong(best->run->plan.learner.name)
      .plain(fmt::format(", {:.1f} ± {:.1f} %{}. ", best->run->test()->mean, best->run->test()->std, theirs))
      .plain(agreement_sentence(all));
}

int reproduce(const PaperTable& table, const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  const RunRequest request = request_of(table, options);
  if (plan_runs(request, train::all_learners(), options, out, err)) return 0;
  require_output(options);
  const std::vector<RunOutcome> runs = make_runs(request, train::all_learners(), options, err);

  const std::vector<TableRow> rows = rows_of(table);
  std::vector<std::vector<ComparedRun>> columns;
  std::vector<ComparedRun> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i % rows.size() == 0) columns.emplace_back();
    columns.back().push_back(compare_run(runs[i], rows[i % rows.size()].cell(runs[i].dataset.number)));
    all.push_back(columns.back().back());
  }

  report::Page page = start_page(table.title, table.name, options);
  page.answer(answer_of(table, columns, all));
  warn_of_missing(page, request.datasets, options.data);
  describe_runs(page, runs, options);
  page.section("Test accuracy beside the paper's");
  page.table(overview(table, columns, rows),
             {Text("Percent, mean ± standard deviation over the folds. ").plain(kSigmaMeaning), ""});
  for (const auto& column : columns) {
    if (std::none_of(column.begin(), column.end(),
                     [](const ComparedRun& run) { return run.run->record.has_value(); }))
      continue;
    if (columns.size() > 1) page.subsection(column[0].run->dataset.dataset().name);
    page.plot(comparison_plot(column),
              {"Test accuracy, ours and the paper's; bars are one standard deviation over the folds.", ""});
  }
  page.section("All figures");
  page.table(comparison_table(table.name + "_all", all),
             {"A run folder each: twofold compare and twofold report read them.", ""});
  finish_page(page, table.name, options, {table.name}, request.datasets, out);
  return exit_code(runs);
}

}  // namespace

void declare_reproduce_table1(Options& flags, ReproduceOptions& options) {
  declare_reproduce_page(flags, options);
  declare_reproduce_data(flags, options);
  declare_reproduce_runs(flags, options);
  flags.footer(R"(
Twelve learners on TRIANGLE: WL subtree (T = 1, 3, 5), WL shortest path, 2-LWL, 2-GWL, a baseline, GIN, 2-GNN and 2-WL-GNN
with two poolings each; and the 2-WL-GNN as we would take it today (2-wl-gnn-ours: preset default, or quick). With --data, the paper's own graphs and folds are taken from DIR/TRIANGLE; without, 228 graphs
drawn the same way, and folds from the seed. Interrupt it at any time: the same command goes on where it stopped.

Examples:
  twofold reproduce table1 --quick --jobs 2 -o paper              a few minutes
  twofold reproduce table1 --data data --jobs 8 -o paper          the paper's grid, ten folds, three runs: days
  twofold reproduce table1 --data data --plan -o paper            how long each takes at most; nothing is written
  twofold reproduce table1 --quick --only wl-st-1,gin -o paper    two of the learners; the page shows what is there)");
}

void declare_reproduce_table2(Options& flags, ReproduceOptions& options) {
  declare_reproduce_page(flags, options);
  declare_reproduce_data(flags, options);
  declare_reproduce_runs(flags, options);
  flags.footer(R"(
Eleven learners on NCI1, PROTEINS_full, DD, REDDIT-BINARY and IMDB-BINARY, as folders in --data, on the paper's folds where
DIR/NAME/NAME_splits.json is there, and the 2-WL-GNN as we would take it today (2-wl-gnn-ours). The five cells that the paper left as out of memory are filled like the others.
Interrupt it at any time: the same command goes on where it stopped.

Examples:
  twofold reproduce table2 --quick --data data --jobs 2 -o paper            about 20 minutes
  twofold reproduce table2 --data data --only wl-sp-3 --jobs 8 -o paper     the WL shortest path kernel, in full
  twofold reproduce table2 --data data --only 2-gnn-mean/REDDIT-BINARY -o paper)");
}

int run_reproduce_table1(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  return reproduce(kTable1, options, out, err);
}

int run_reproduce_table2(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  return reproduce(kTable2, options, out, err);
}

}  // namespace twofold::cli
