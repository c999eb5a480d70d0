#include "cli/command_reproduce_deltas.h"

#include <fmt/format.h>

#include "cli/reproduce_runs.h"
#include "twofold/base/error.h"
#include "twofold/eval/comparison.h"
#include "twofold/report/delta_matrix.h"

namespace twofold::cli {
namespace {

using record::RunRecord;

struct DatasetDeltas {
  std::string name;
  std::string folder;
  std::vector<std::string> learners;
  std::vector<RunRecord> runs;
  std::vector<std::string> left_out;  // finished, but on other folds than the first
};

// The finished runs of a dataset that can be compared with its first one.
DatasetDeltas collect(const FoundDataset& found, const ReproduceOptions& options) {
  DatasetDeltas deltas{found.dataset().name, found.dataset().folder, {}, {}, {}};
  for (RunOutcome& run : read_runs({{found}, {paper::table_learners()}}, options)) {
    if (!run.record) continue;
    const bool fits = deltas.runs.empty() || (run.record->splits_checksum == deltas.runs[0].splits_checksum &&
                                              run.record->dataset_checksum == deltas.runs[0].dataset_checksum);
    if (!fits) {
      deltas.left_out.push_back(run.plan.learner.name);
      continue;
    }
    deltas.learners.push_back(run.plan.learner.name);
    deltas.runs.push_back(std::move(*run.record));
  }
  return deltas;
}

// Who beats how many others by the rule, for the answer.
std::string sentence(const DatasetDeltas& dataset, const std::vector<std::vector<eval::Delta>>& deltas) {
  std::size_t best = 0, most = 0;
  for (std::size_t a = 0; a < deltas.size(); ++a) {
    std::size_t better = 0;
    for (std::size_t b = 0; b < deltas.size(); ++b)
      if (a != b && deltas[a][b].verdict > 0) ++better;
    if (better > most) best = a, most = better;
  }
  if (most == 0) return fmt::format("{}: no learner is consistently better than another.", dataset.name);
  return fmt::format("{}: {} is consistently better than {} of {} others.", dataset.name,
                     dataset.learners[best], most, deltas.size() - 1);
}

}  // namespace

void declare_reproduce_deltas(CLI::App& app, ReproduceOptions& options) {
  declare_reproduce_page(app, options);
  app.add_flag("--quick", options.quick, "Take the runs that --quick has made");
  app.footer(R"(
Fold-wise differences in test accuracy between all learners, a matrix a dataset, from the runs that table1 and table2 have left in
the output folder: row minus column, mean ± standard deviation over the folds. Nothing is trained here. For other runs:
twofold compare.

Examples:
  twofold reproduce table1 --quick -o paper
  twofold reproduce deltas --quick -o paper)");
}

int run_reproduce_deltas(const ReproduceOptions& options, std::ostream& out, std::ostream& /*err*/) {
  require_output(options);
  std::vector<DatasetDeltas> datasets;
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d) {
    FoundDataset found;
    found.number = d;
    DatasetDeltas deltas = collect(found, options);
    if (deltas.runs.size() > 1) datasets.push_back(std::move(deltas));
  }
  if (datasets.empty()) {
    const std::string flag = options.quick ? " --quick" : "";
    throw Error(fmt::format(
        "{}/{} has no two finished runs on one dataset: make them by twofold reproduce table1{} -o {}",
        options.output, options.quick ? "runs-quick" : "runs", flag, options.output));
  }
  report::Page page = start_page("Fold-wise differences (Appendix F)", "deltas", options);
  std::vector<report::Text> answers;
  std::vector<std::vector<std::vector<eval::Delta>>> all;
  for (const DatasetDeltas& dataset : datasets) {
    all.push_back(report::all_deltas(dataset.runs));
    answers.emplace_back(sentence(dataset, all.back()));
  }
  page.answer(answers[0]);
  if (answers.size() > 1) page.list({answers.begin() + 1, answers.end()});
  if (options.quick)
    page.warning("These are quick runs of few folds: their standard deviations are rough themselves.");
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const DatasetDeltas& dataset = datasets[i];
    page.section(dataset.name);
    page.table(report::delta_matrix("deltas_" + dataset.folder, dataset.learners, all[i], 1),
               {report::two_sigma_meaning(dataset.runs[0].folds.size()), ""});
    if (!dataset.left_out.empty())
      page.warning(fmt::format("Not comparable, because made on other folds or graphs: {}.",
                               fmt::join(dataset.left_out, ", ")));
  }
  finish_page(page, "deltas", options, {}, {}, out);
  return 0;
}

}  // namespace twofold::cli
