#include "cli/command_reproduce_studies.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "cli/command.h"
#include "cli/reproduce_comparison.h"
#include "cli/reproduce_runs.h"
#include "twofold/report/figures.h"
#include "twofold/train/kernel_learner.h"
#include "twofold/train/learners.h"

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
  // From its first point to its last.
  double gain() const { return figures.back().mean - figures.front().mean; }
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
  request.name = "wlst-depths";
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d) {
    request.datasets.push_back(find_dataset(options.data, d));
    request.learners.push_back(paper::depth_learners());
  }
  return request;
}

RunRequest radius_request(const ReproduceOptions& options) {
  RunRequest request;
  request.name = "radius";
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d) {
    request.datasets.push_back(find_dataset(options.data, d));
    request.learners.emplace_back();
    for (const bool is_weighted : {false, true})
      for (const int radius : paper::published_radii_of(d))
        request.learners.back().push_back(paper::radius_learner(is_weighted, radius));
  }
  return request;
}

// Accuracy over a depth or a radius: curves of ours and the paper's, and every figure of them.
class Study {
 public:
  Study(const std::vector<RunOutcome>& runs, std::string x_label) : runs_(runs), x_label_(std::move(x_label)) {}

  // The next run, at x, beside the paper's figures.
  void add(double x, const Figure& test, const Figure& train) {
    const RunOutcome& run = runs_[all_.size()];
    all_.push_back(compare_run(run, {paper::CellState::kMeasured, test, train, false, ""}));
    if (const auto figure = run.test()) test_.add(x, *figure);
    if (const auto figure = run.train()) train_.add(x, *figure);
    paper_test_.add(x, test);
    paper_train_.add(x, train);
  }

  // Makes a plot of what was added since the last one, unless nothing of it was run. What the accuracy gains
  // along it, ours and the paper's, if there is more than a point.
  std::optional<std::string> end_curve(const std::string& dataset, const std::string& learner,
                                       std::optional<double> x_min) {
    std::optional<std::string> gain;
    const char x_letter = x_label_.back();
    if (!test_.x.empty()) {
      plots_.push_back(accuracy_plot(x_label_, test_, train_, paper_test_, paper_train_));
      plots_.back().x.min = x_min;
      plots_.back().name = dataset + learner;
      captions_.push_back({Text().strong(dataset).plain(learner), ""});
      if (test_.x.size() > 1)
        gain = fmt::format("{:+.1f} from {} = {:.0f} to {:.0f}; the paper has {:+.1f}", test_.gain(), x_letter,
                           test_.x.front(), test_.x.back(), paper_test_.gain());
    }
    test_ = train_ = paper_test_ = paper_train_ = {};
    return gain;
  }

  // The answer and what stands before the figures, then plots and a table of this name.
  report::Page page(const std::string& title, const std::string& command, const std::string& section,
                    const std::string& table, const std::vector<std::string>& findings,
                    const std::vector<FoundDataset>& datasets, const ReproduceOptions& options) const {
    report::Page page = start_page(title, command, options);
    page.answer(plots_.empty() ? "Nothing has been run yet." : agreement_sentence(all_));
    if (!findings.empty()) page.list({findings.begin(), findings.end()});
    warn_of_missing(page, datasets, options.data);
    describe_runs(page, runs_, options);
    if (!plots_.empty()) {
      page.section(section);
      page.plots(plots_, captions_);
    }
    page.section("All figures");
    page.table(comparison_table(table, all_),
               {Text("Percent, mean ± standard deviation over the folds. ").plain(kSigmaMeaning), ""});
    return page;
  }

 private:
  const std::vector<RunOutcome>& runs_;
  std::string x_label_;
  std::vector<ComparedRun> all_;
  Curve test_, train_, paper_test_, paper_train_;  // the one that is being made
  std::vector<report::Plot> plots_;
  std::vector<report::Caption> captions_;
};

}  // namespace

void declare_reproduce_wlst_depths(Options& flags, ReproduceOptions& options) {
  declare_reproduce_page(flags, options);
  declare_reproduce_data(flags, options);
  declare_reproduce_runs(flags, options);
  flags.footer(R"(
The WL subtree kernel with T = 1 to 5 refinements on the six datasets, C chosen on validation graphs in every fold, beside the
paper's published figures. TRIANGLE is built in; the others come from --data. --quick takes the first folds only.

Examples:
  twofold reproduce wlst-depths -o paper                          TRIANGLE alone: seconds
  twofold reproduce wlst-depths --data data --jobs 2 -o paper     all six: about half an hour on two cores)");
}

int run_reproduce_wlst_depths(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  const RunRequest request = depth_request(options);
  if (plan_runs(request, train::kernel_learners(), options, out, err)) return 0;
  require_output(options);
  const std::vector<RunOutcome> runs = make_runs(request, train::kernel_learners(), options, err);
  Study study(runs, "refinements T");
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d) {
    for (const paper::DepthPoint& point : paper::published_depths())
      study.add(point.iterations, point.test[d], point.train[d]);
    study.end_curve(paper::paper_datasets()[d].name, "", std::nullopt);
  }
  const report::Page page = study.page("The WL subtree kernel by depth", "wlst-depths", "Accuracy over depth",
                                       "wlst_depths", {}, request.datasets, options);
  finish_page(page, "wlst-depths", options, {}, request.datasets, out);
  return exit_code(runs);
}

void declare_reproduce_radius(Options& flags, ReproduceOptions& options) {
  declare_reproduce_page(flags, options);
  declare_reproduce_data(flags, options);
  declare_reproduce_runs(flags, options);
  flags.footer(R"(
The 2-WL-GNN without an MLP after pooling at the radii of the paper's Appendix D: TRIANGLE 1 and 2, NCI1 1 and 8, PROTEINS 1 and 5,
D&D 1 and 2, REDDIT-B 1, IMDB-B 1, 2, 4, 6 and 8 (all of these from 2 on are the same graphs), with mean and with weighted mean
pooling. --only takes the learners' keys, as 2-wl-gnn-mean-no-mlp-r2.

Examples:
  twofold reproduce radius --quick --jobs 2 -o paper                                TRIANGLE alone: minutes
  twofold reproduce radius --quick --data data --only IMDB-BINARY --jobs 2 -o paper)");
}

int run_reproduce_radius(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  const RunRequest request = radius_request(options);
  if (plan_runs(request, train::all_learners(), options, out, err)) return 0;
  require_output(options);
  const std::vector<RunOutcome> runs = make_runs(request, train::all_learners(), options, err);
  Study study(runs, "radius r");
  std::vector<std::string> gains;
  for (std::size_t d = 0; d < paper::kNumDatasets; ++d)
    for (const bool is_weighted : {false, true}) {
      const std::string& name = paper::paper_datasets()[d].name;
      const char* pooling = is_weighted ? "weighted mean" : "mean";
      for (const paper::RadiusPoint& point : paper::published_radii())
        if (point.is_weighted == is_weighted && !std::isnan(point.test[d].mean))
          study.add(point.radius, point.test[d], point.train[d]);
      if (const auto gain = study.end_curve(name, fmt::format(", {}", pooling), 0))
        gains.push_back(report::keep_figures_whole(fmt::format("{} ({}) {}", name, pooling, *gain)));
    }
  const report::Page page = study.page("Accuracy by radius (Appendix D)", "radius", "Accuracy over the radius",
                                       "radius", gains, request.datasets, options);
  finish_page(page, "radius", options, {}, request.datasets, out);
  return exit_code(runs);
}

}  // namespace twofold::cli
