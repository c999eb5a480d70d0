#include "twofold/report/run_curves.h"

#include "twofold/model/metrics.h"
#include "twofold/report/readable_axis.h"

namespace twofold::report {
namespace {

constexpr std::size_t kMostPoints = 200;

CurveSummary summarize(const RunView& run, std::vector<double> TrainingCurve::*column) {
  std::vector<std::vector<double>> values;
  for (const TrainingCurve& curve : run.curves)
    if (!(curve.*column).empty()) values.push_back(curve.*column);
  return summarize_curves(values, kMostPoints);
}

void add_line(Plot& plot, const std::string& name, const CurveSummary& summary,
              const std::vector<double>& values, int color, bool dashed = false) {
  if (summary.x.empty()) return;
  Series line;
  line.name = name;
  line.style = summary.x.size() == 1 ? Series::Style::kPoints : Series::Style::kLines;
  line.x = summary.x;
  line.y = values;
  line.color = color;
  line.dashed = dashed;
  plot.series.push_back(std::move(line));
}

}  // namespace

Plot plot_validation(const RunGroup& group) {
  Plot plot;
  plot.width = 560;
  plot.height = 320;
  plot.x.label = "epoch";
  // Trainings are watched by accuracy or MAE, whatever configurations are chosen by.
  const model::MetricRow* metric = model::find_metric(group.metric);
  const bool of_classes = metric != nullptr && metric->is_of_classes;
  plot.y.label = metric == nullptr ? "validation " + group.metric
                 : of_classes      ? "validation accuracy %"
                                   : "validation MAE";
  for (std::size_t i = 0; i < group.runs.size(); ++i) {
    const CurveSummary summary = summarize(*group.runs[i], &TrainingCurve::validation);
    // Of a few graphs right or wrong the median jumps; the mean does not.
    add_line(plot, group.runs[i]->name, summary, summary.mean, static_cast<int>(i));
  }
  plot.name = "validation" + group.key;
  if (!of_classes) keep_readable(plot);  // percent have limits of their own
  return plot;
}

Plot plot_losses(const RunView& run, int color) {
  Plot plot;
  plot.x.label = "epoch";
  plot.y.label = "loss";
  const CurveSummary train = summarize(run, &TrainingCurve::train_loss);
  const CurveSummary validation = summarize(run, &TrainingCurve::validation_loss);
  if (validation.x.size() > 1 && run.curves.size() > 1) {
    Series band;
    band.style = Series::Style::kBand;
    band.color = color;
    band.x = validation.x;
    for (std::size_t i = 0; i < validation.x.size(); ++i) {
      band.y.push_back((validation.lower[i] + validation.upper[i]) / 2);
      band.y_spread.push_back((validation.upper[i] - validation.lower[i]) / 2);
    }
    plot.series.push_back(std::move(band));
  }
  add_line(plot, "training", train, train.median, color, true);
  add_line(plot, "validation", validation, validation.median, color);
  plot.name = "loss-" + run.name;
  keep_readable(plot);
  return plot;
}

}  // namespace twofold::report
