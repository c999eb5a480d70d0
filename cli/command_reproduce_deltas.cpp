#include "cli/command_reproduce_deltas.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/reproduce_runs.h"
#include "twofold/base/error.h"
#include "twofold/eval/comparison.h"
#include "twofold/report/delta_matrix.h"

namespace twofold::cli {
namespace {

using record::RunRecord;

using Deltas = std::vector<std::vector<eval::Delta>>;

struct DatasetDeltas {
  std::size_t number = 0;             // of paper_datasets()
  std::vector<std::size_t> learners;  // of paper::table_learners()
  std::vector<RunRecord> runs;
  std::vector<std::string> left_out;  // finished, but on other folds than the first
};

std::string name_of(std::size_t learner) { return paper::table_learners()[learner].name; }

std::vector<std::string> names_of(const std::vector<std::size_t>& learners) {
  std::vector<std::string> names;
  for (const std::size_t learner : learners) names.push_back(name_of(learner));
  return names;
}

// The finished runs of a dataset that can be compared with its first one.
DatasetDeltas collect(const FoundDataset& found, const ReproduceOptions& options) {
  DatasetDeltas deltas{found.number, {}, {}, {}};
  std::vector<RunOutcome> runs = read_runs({{found}, {paper::table_learners()}}, options);
  for (std::size_t learner = 0; learner < runs.size(); ++learner) {
    std::optional<RunRecord>& run = runs[learner].record;
    if (!run) continue;
    const bool fits = deltas.runs.empty() || (run->splits_checksum == deltas.runs[0].splits_checksum &&
                                              run->dataset_checksum == deltas.runs[0].dataset_checksum);
    if (!fits) {
      deltas.left_out.push_back(name_of(learner));
      continue;
    }
    deltas.learners.push_back(learner);
    deltas.runs.push_back(std::move(*run));
  }
  return deltas;
}

// The paper's matrix as one of ours: its colors follow from the figures it prints.
Deltas as_printed(const paper::PublishedDeltas& published) {
  Deltas deltas;
  for (const auto& row : published.deltas) {
    deltas.emplace_back();
    for (const paper::Figure& figure : row) {
      eval::Delta delta;
      delta.mean = figure.mean;
      delta.std = figure.std;
      delta.verdict = eval::two_sigma_verdict(figure.mean, figure.std);
      deltas.back().push_back(delta);
    }
  }
  return deltas;
}

// Who beats how many others by the rule, for the answer.
std::string sentence(const DatasetDeltas& dataset, const Deltas& deltas) {
  const std::string& name = paper::paper_datasets()[dataset.number].name;
  std::size_t best = 0, most = 0;
  for (std::size_t a = 0; a < deltas.size(); ++a) {
    std::size_t better = 0;
    for (std::size_t b = 0; b < deltas.size(); ++b)
      if (a != b && deltas[a][b].verdict > 0) ++better;
    if (better > most) best = a, most = better;
  }
  if (most == 0) return fmt::format("{}: no learner is consistently better than another.", name);
  return fmt::format("{}: {} is consistently better than {} of {} others.", name,
                     name_of(dataset.learners[best]), most, deltas.size() - 1);
}

// How the two matrices stand to each other, over the pairs that are in both.
std::string agreement(const DatasetDeltas& dataset, const Deltas& ours, const paper::PublishedDeltas& published,
                      const Deltas& theirs) {
  std::size_t pairs = 0, decided = 0, same = 0, contrary = 0, only_here = 0;
  const auto position = [&](std::size_t learner) {
    const auto& all = published.learners;
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), learner) - all.begin());
  };
  for (std::size_t a = 0; a < ours.size(); ++a)
    for (std::size_t b = a + 1; b < ours.size(); ++b) {
      const std::size_t x = position(dataset.learners[a]), y = position(dataset.learners[b]);
      if (x == theirs.size() || y == theirs.size()) continue;
      const int here = ours[a][b].verdict, there = theirs[x][y].verdict;
      ++pairs;
      if (there != 0) ++decided;
      if (there != 0 && here == there) ++same;
      if (here * there < 0) ++contrary;
      if (there == 0 && here != 0) ++only_here;
    }
  return fmt::format(
      "Of {} pairs in both matrices the paper's folds decide {}; ours decide {} of these the same way, {} the "
      "contrary, and leave {} open; {} more are decided here alone.",
      pairs, decided, same, contrary, decided - same - contrary, only_here);
}

}  // namespace

void declare_reproduce_deltas(Options& flags, ReproduceOptions& options) {
  declare_reproduce_page(flags, options);
  flags.add_flag("--quick", options.quick, "Take the runs that --quick has made");
  flags.footer(R"(
Fold-wise differences in test accuracy between all learners, one matrix per dataset, from the runs that table1 and table2 have left in
the output folder: row minus column, mean ± standard deviation over the folds. The page has the paper's matrices below ours and
counts where they agree. Nothing is trained here. For other runs: twofold compare.

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
  std::vector<Deltas> all;
  for (const DatasetDeltas& dataset : datasets) {
    all.push_back(report::all_deltas(dataset.runs));
    answers.emplace_back(sentence(dataset, all.back()));
  }
  page.answer(answers[0]);
  if (answers.size() > 1) page.list({answers.begin() + 1, answers.end()});
  if (options.quick)
    page.warning("These are quick runs of few folds: their standard deviations are rough themselves.");
  std::vector<std::string> own_tables;
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const DatasetDeltas& dataset = datasets[i];
    const paper::PaperDataset& names = paper::paper_datasets()[dataset.number];
    const paper::PublishedDeltas& published = paper::published_deltas()[dataset.number];
    const Deltas theirs = as_printed(published);
    page.section(names.name);
    own_tables.push_back("deltas_" + names.folder);
    page.table(report::delta_matrix(own_tables.back(), names_of(dataset.learners), all[i], 1),
               {report::two_sigma_meaning(dataset.runs[0].folds.size()), ""});
    if (!dataset.left_out.empty())
      page.warning(fmt::format("Not comparable, because made on other folds or graphs: {}.",
                               fmt::join(dataset.left_out, ", ")));
    page.paragraph(agreement(dataset, all[i], published, theirs));
    page.table(
        report::delta_matrix("paper_" + names.folder, names_of(published.learners), theirs, -2, 1),
        {fmt::format("The paper's Matrix {}, as printed: ten folds, two digits.", dataset.number + 1), ""});
  }
  finish_page(page, "deltas", options, own_tables, {}, out);
  return 0;
}

}  // namespace twofold::cli
