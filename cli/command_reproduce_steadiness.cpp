#include "cli/command_reproduce_steadiness.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/reproduce_runs.h"
#include "twofold/train/learners.h"

namespace twofold::cli {
namespace {

using report::Text;

// What ten seeds gave: the lowest and the highest mean over folds, and the lowest single fold.
struct Range {
  std::size_t seeds = 0;
  double least = 100;
  double most = 0;
  double least_fold = 100;

  void add(const record::RunRecord& run) {
    ++seeds;
    least = std::min(least, run.test_mean);
    most = std::max(most, run.test_mean);
    for (const auto& fold : run.folds) least_fold = std::min(least_fold, fold.test);
  }
  std::string text() const {
    if (seeds == 0) return "not run";
    return fmt::format("{:.1f} to {:.1f} % over {} seed{}, the lowest fold {:.1f} %", least, most, seeds,
                       seeds == 1 ? "" : "s", least_fold);
  }
};

const char* name_of(bool is_ours) { return is_ours ? "2-WL-GNN, ours" : "2-WL-GNN, the paper's"; }

// Every fold as a small point, the mean of a seed's folds as a large one.
std::vector<report::Series> series_of(const std::vector<RunOutcome>& runs, bool is_ours) {
  report::Series means, folds;
  means.name = name_of(is_ours);
  means.style = report::Series::Style::kLinesPoints;
  folds.style = report::Series::Style::kPoints;
  folds.small = true;
  means.color = folds.color = is_ours ? 0 : 1;
  constexpr double kApart = 0.1;  // so that folds of both do not hide each other
  for (const RunOutcome& run : runs) {
    if (run.plan.learner.is_ours != is_ours || !run.record) continue;
    const double x = static_cast<double>(run.plan.learner.seed) + (is_ours ? kApart : -kApart);
    means.x.push_back(x);
    means.y.push_back(run.record->test_mean);
    for (const auto& fold : run.record->folds) {
      folds.x.push_back(x);
      folds.y.push_back(fold.test);
    }
  }
  return {means, folds};
}

report::Plot steadiness_plot(const std::vector<RunOutcome>& runs) {
  report::Plot plot;
  plot.name = "steadiness";
  plot.x.label = "seed";
  plot.y.label = "test accuracy (%)";
  plot.x.min = 0;
  plot.x.max = static_cast<double>(paper::kNumSteadinessSeeds) + 1;
  for (const bool is_ours : {true, false})
    for (report::Series& series : series_of(runs, is_ours)) plot.series.push_back(std::move(series));
  return plot;
}

report::Table steadiness_table(const std::vector<RunOutcome>& runs) {
  report::Table table("steadiness", {report::number_column("seed", "seed", 0),
                                     report::mean_std_column("paper", "the paper's", 1),
                                     report::mean_std_column("ours", "ours", 1)});
  const auto cell = [](const RunOutcome& run) {
    const auto figure = run.test();
    return figure ? report::mean_std_cell(figure->mean, figure->std) : report::mark_cell(run.missing);
  };
  for (std::size_t i = 0; i < paper::kNumSteadinessSeeds; ++i)
    table.add_row({report::number_cell(static_cast<double>(i + 1)), cell(runs[i]),
                   cell(runs[i + paper::kNumSteadinessSeeds])});
  return table;
}

}  // namespace

void declare_reproduce_steadiness(Options& flags, ReproduceOptions& options) {
  declare_reproduce_page(flags, options);
  declare_reproduce_data(flags, options);
  declare_reproduce_runs(flags, options);
  flags.footer(R"(
How much of an accuracy is the seed: the 2-WL-GNN on the same four folds of TRIANGLE with the seeds 1 to 10, once with the
paper's layers (weighted mean, learning rate 0.01, jumping knowledge), once as we would take it today (preset quick). With
--quick the paper's network has 150 epochs, else 5000 and patience 1000, as in its experiments.

Examples:
  twofold reproduce steadiness --quick --jobs 2 -o paper               minutes
  twofold reproduce steadiness --data data --jobs 8 -o paper           on the paper's graphs, in full: hours)");
}

int run_reproduce_steadiness(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  RunRequest request;
  request.name = "steadiness";
  request.datasets = {find_dataset(options.data, paper::kTriangle)};
  request.learners = {paper::steadiness_learners()};
  if (plan_runs(request, train::all_learners(), options, out, err)) return 0;
  require_output(options);
  const std::vector<RunOutcome> runs = make_runs(request, train::all_learners(), options, err);

  Range paper_range, our_range;
  for (const RunOutcome& run : runs)
    if (run.record) (run.plan.learner.is_ours ? our_range : paper_range).add(*run.record);
  report::Page page = start_page("Steadiness: TRIANGLE with ten seeds", "steadiness", options);
  if (paper_range.seeds + our_range.seeds == 0)
    page.answer("Nothing has been run yet.");
  else
    page.answer(
        Text("Ours: ").strong(our_range.text()).plain(". The paper's: ").strong(paper_range.text()).plain("."));
  describe_runs(page, runs, options);
  page.section("Test accuracy by seed");
  page.plot(
      steadiness_plot(runs),
      {"Large: the mean over the folds of one seed; small: every fold. The folds are the same for all seeds.",
       ""});
  page.table(steadiness_table(runs), {"Percent, mean ± standard deviation over the folds, by seed.", ""});
  finish_page(page, "steadiness", options, {}, request.datasets, out);
  return exit_code(runs);
}

}  // namespace twofold::cli
