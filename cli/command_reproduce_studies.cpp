#include "cli/command_reproduce_studies.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/command.h"
#include "cli/reproduce_comparison.h"
#include "cli/reproduce_runs.h"
#include "twofold/eval/kernel_learner.h"

namespace twofold::cli {
namespace {

using paper::Figure;
using report::Series;
using report::Text;

// Points of a curve: where it was measured, and what it gave.
struct Curve {
  std::vector<double> x;
  std::vector<Figure> figures;

  void add(double at, const Figure& figure) {
    if (std::isnan(figure.mean)) return;
    x.push_back(at);
    figures.push_back(figure);
  }
};

Series series_of(const std::string& name, const Curve& curve, int color, bool dashed, double shift) {
  Series series;
  series.name = name;
  series.style = Series::Style::kLinesPoints;
  series.color = color;
  series.dashed = dashed;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    series.x.push_back(curve.x[i] + shift);  // beside each other, so that spreads do not hide each other
    series.y.push_back(curve.figures[i].mean);
    series.y_spread.push_back(curve.figures[i].std);
  }
  return series;
}

// Test and train accuracy, ours and the paper's, over x.
report::Plot accuracy_plot(const std::string& x_label, const Curve& test, const Curve& train,
                           const Curve& paper_test, const Curve& paper_train) {
  report::Plot plot;
  plot.x.label = x_label;
  plot.y.label = "accuracy (%)";
  plot.series = {
      series_of("test, ours", test, 0, false, -0.06), series_of("test, paper", paper_test, 0, true, 0.02),
      series_of("train, ours", train, 1, false, -0.02), series_of("train, paper", paper_train, 1, true, 0.06)};
  plot.width = 420;
  plot.height = 280;
  return plot;
}

RunRequest depth_request(const ReproduceOptions& options) {
  RunRequest request;
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d) {
    request.datasets.push_back(find_dataset(options.data, d));
    request.learners.push_back(paper::depth_learners());
  }
  return request;
}

RunRequest radius_request(const ReproduceOptions& options) {
  RunRequest request;
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d) {
    request.datasets.push_back(find_dataset(options.data, d));
    request.learners.emplace_back();
    for (const bool is_weighted : {false, true})
      for (const int radius : paper::published_radii_of(d))
        request.learners.back().push_back(paper::radius_learner(is_weighted, radius));
  }
  return request;
}

paper::PublishedCell published(const Figure& test, const Figure& train) {
  return {paper::CellState::kMeasured, test, train, false, ""};
}

std::size_t num_finished(const std::vector<ComparedRun>& runs) {
  std::size_t count = 0;
  for (const ComparedRun& run : runs) count += run.run->record ? 1 : 0;
  return count;
}

void add_point(Curve& test, Curve& train, double x, const RunOutcome& run) {
  if (const auto figure = run.test()) test.add(x, *figure);
  if (const auto figure = run.train()) train.add(x, *figure);
}

}  // namespace

void declare_reproduce_wlst_depths(CLI::App& app, ReproduceOptions& options) {
  declare_reproduce_page(app, options);
  declare_reproduce_data(app, options);
  declare_reproduce_runs(app, options);
  app.footer(R"(
The WL subtree kernel with T = 1 to 5 refinements on the six datasets, C chosen on validation graphs in every fold, beside the
paper's published figures. TRIANGLE is built in; the others come from --data. --quick takes the first folds only.

Examples:
  twofold reproduce wlst-depths -o paper                          TRIANGLE alone: seconds
  twofold reproduce wlst-depths --data data --jobs 2 -o paper     all six: about half an hour on two cores)");
}

int run_reproduce_wlst_depths(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  require_output(options);
  const RunRequest request = depth_request(options);
  const std::vector<RunOutcome> runs = make_runs(request, eval::kernel_learners(), options, err);
  std::vector<ComparedRun> all;
  std::vector<report::Plot> plots;
  std::vector<report::Caption> captions;
  std::size_t i = 0;
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d) {
    Curve test, train, paper_test, paper_train;
    std::size_t finished = 0;
    for (const paper::DepthPoint& point : paper::published_depths()) {
      const RunOutcome& run = runs[i++];
      all.push_back(compare_run(run, published(point.test[d], point.train[d])));
      add_point(test, train, point.iterations, run);
      paper_test.add(point.iterations, point.test[d]);
      paper_train.add(point.iterations, point.train[d]);
      finished += run.record ? 1 : 0;
    }
    if (finished == 0) continue;
    plots.push_back(accuracy_plot("refinements T", test, train, paper_test, paper_train));
    captions.push_back({Text().strong(paper::paper_datasets()[d].name), ""});
  }
  report::Page page = start_page("The WL subtree kernel by depth", "wlst-depths", options);
  page.answer(agreement_sentence(all));
  warn_of_missing(page, request.datasets, options.data);
  describe_runs(page, runs, options);
  if (!plots.empty()) {
    page.section("Accuracy over depth");
    page.plots(plots, captions);
  }
  page.section("All figures");
  page.table(comparison_table("wlst_depths", all),
             {Text("Percent, mean ± standard deviation over the folds. ").plain(kSigmaMeaning), ""});
  finish_page(page, "wlst-depths", options, {}, request.datasets, out);
  return exit_code(runs);
}

void declare_reproduce_radius(CLI::App& app, ReproduceOptions& options) {
  declare_reproduce_page(app, options);
  declare_reproduce_data(app, options);
  declare_reproduce_runs(app, options);
  app.footer(R"(
The 2-WL-GNN without an MLP after pooling at the radii of the paper's Appendix D: TRIANGLE 1 and 2, NCI1 1 and 8, PROTEINS 1 and 5,
D&D 1 and 2, REDDIT-B 1, IMDB-B 1, 2, 4, 6 and 8 (all of these from 2 on are the same graphs), with mean and with weighted mean
pooling. --only takes the learners' keys, as 2-wl-gnn-mean-no-mlp-r2.

Examples:
  twofold reproduce radius --quick --jobs 2 -o paper                                TRIANGLE alone: minutes
  twofold reproduce radius --quick --data data --only IMDB-BINARY --jobs 2 -o paper)");
}

int run_reproduce_radius(const ReproduceOptions& /*options*/, std::ostream& /*out*/, std::ostream& /*err*/) {
  return kTurnIntoLearn;
}

int reproduce_radius_with(const std::vector<eval::LearnerFactory>& learners, const ReproduceOptions& options,
                          std::ostream& out, std::ostream& err) {
  require_output(options);
  const RunRequest request = radius_request(options);
  const std::vector<RunOutcome> runs = make_runs(request, learners, options, err);
  std::vector<ComparedRun> all;
  std::vector<report::Plot> plots;
  std::vector<report::Caption> captions;
  std::size_t i = 0;
  std::vector<std::string> gains;
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d)
    for (const bool is_weighted : {false, true}) {
      Curve test, train, paper_test, paper_train;
      std::size_t finished = 0;
      for (const paper::RadiusPoint& point : paper::published_radii()) {
        if (point.is_weighted != is_weighted || std::isnan(point.test[d].mean)) continue;
        const RunOutcome& run = runs[i++];
        all.push_back(compare_run(run, published(point.test[d], point.train[d])));
        add_point(test, train, point.radius, run);
        paper_test.add(point.radius, point.test[d]);
        paper_train.add(point.radius, point.train[d]);
        finished += run.record ? 1 : 0;
      }
      if (finished == 0) continue;
      plots.push_back(accuracy_plot("radius r", test, train, paper_test, paper_train));
      plots.back().x.min = 0;
      captions.push_back(
          {Text().strong(paper::paper_datasets()[d].name).plain(is_weighted ? ", weighted mean" : ", mean"),
           ""});
      if (test.x.size() > 1)
        gains.push_back(fmt::format(
            "{} ({}) {:+.1f} from r = {:.0f} to {:.0f}; the paper has {:+.1f}", paper::paper_datasets()[d].name,
            is_weighted ? "weighted mean" : "mean", test.figures.back().mean - test.figures.front().mean,
            test.x.front(), test.x.back(), paper_test.figures.back().mean - paper_test.figures.front().mean));
    }
  report::Page page = start_page("Accuracy by radius (Appendix D)", "radius", options);
  page.answer(num_finished(all) == 0 ? "Nothing has been run yet." : agreement_sentence(all));
  if (!gains.empty()) page.list({gains.begin(), gains.end()});
  warn_of_missing(page, request.datasets, options.data);
  describe_runs(page, runs, options);
  if (!plots.empty()) {
    page.section("Accuracy over the radius");
    page.plots(plots, captions);
  }
  page.section("All figures");
  page.table(comparison_table("radius", all),
             {Text("Percent, mean ± standard deviation over the folds. ").plain(kSigmaMeaning), ""});
  finish_page(page, "radius", options, {}, request.datasets, out);
  return exit_code(runs);
}

}  // namespace twofold::cli
