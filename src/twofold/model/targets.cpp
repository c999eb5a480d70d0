#include "twofold/model/targets.h"

#include <cmath>
#include <limits>

#include "twofold/base/error.h"

namespace twofold::model {
namespace {

struct MetricWord {
  Metric metric;
  const char* word;
};
constexpr MetricWord kMetrics[] = {{Metric::kAccuracy, "accuracy"},
                                   {Metric::kMeanAbsoluteError, "mae"},
                                   {Metric::kRootMeanSquare, "rmse"},
                                   {Metric::kR2, "r2"}};

// Of one column of real targets.
double column_score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions,
                    std::size_t column, std::size_t columns) {
  const std::size_t n = truth.size();
  double mean = 0, absolute = 0, squared = 0, deviation = 0;
  for (std::size_t i = 0; i < n; ++i) mean += truth.values[i * columns + column];
  mean /= static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double wanted = truth.values[i * columns + column];
    const double error = predictions.values[i * columns + column] - wanted;
    absolute += std::abs(error);
    squared += error * error;
    deviation += (wanted - mean) * (wanted - mean);
  }
  if (metric == Metric::kMeanAbsoluteError) return absolute / static_cast<double>(n);
  if (metric == Metric::kRootMeanSquare) return std::sqrt(squared / static_cast<double>(n));
  return deviation > 0 ? 1 - squared / deviation : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Task task_of(const Dataset& dataset) {
  Task task;
  if (dataset.has_classes()) {
    task.class_names = dataset.class_names;
    if (task.class_names.size() > 2) task.kind = TaskKind::kMultiClass;
  } else if (dataset.num_real_targets > 0) {
    task.kind = TaskKind::kRegression;
    task.num_values = dataset.num_real_targets;
  } else {
    throw InputError(
        fmt::format("{}: needed a class or a real target for every graph, found none", dataset.name));
  }
  return task;
}

Targets::Targets(const Dataset& dataset) : task_(task_of(dataset)), num_graphs_(dataset.graphs.size()) {
  if (task_.is_classification())
    class_of_ = dataset.class_of;
  else
    values_ = dataset.real_targets;
}

LabeledGraphs Targets::of(Span<const std::uint32_t> graphs) const {
  LabeledGraphs result;
  result.graphs.assign(graphs.begin(), graphs.end());
  for (const std::uint32_t g : graphs) {
    TWOFOLD_CHECK(g < num_graphs_, "graph {} of {}", g, num_graphs_);
    if (task_.is_classification()) result.class_of.push_back(class_of_[g]);
    for (std::size_t j = 0; j < task_.num_values; ++j)
      result.values.push_back(values_[g * task_.num_values + j]);
  }
  return result;
}

Metric parse_metric(const std::string& word) {
  for (const MetricWord& known : kMetrics)
    if (word == known.word) return known.metric;
  throw UsageError(fmt::format("needed a metric accuracy, mae, rmse or r2, found {}", in_quotes(word)));
}

std::string metric_name(Metric metric) {
  for (const MetricWord& known : kMetrics)
    if (metric == known.metric) return known.word;
  throw_check_error("metric", __FILE__, __LINE__, "no word for it");
}

Metric default_metric(const Task& task) {
  return task.is_classification() ? Metric::kAccuracy : Metric::kMeanAbsoluteError;
}

void require_fit(Metric metric, const Task& task) {
  if ((metric == Metric::kAccuracy) == task.is_classification()) return;
  throw UsageError(
      fmt::format("the metric {} does not fit {}", metric_name(metric),
                  task.is_classification() ? "classes: take accuracy" : "real targets: take mae, rmse or r2"));
}

bool is_better(Metric metric, double a, double b) {
  if (std::isnan(a)) return false;
  if (std::isnan(b)) return true;
  return metric == Metric::kAccuracy || metric == Metric::kR2 ? a > b : a < b;
}

double score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions) {
  const std::size_t n = truth.size();
  if (n == 0) return std::numeric_limits<double>::quiet_NaN();
  if (metric == Metric::kAccuracy) {
    TWOFOLD_CHECK(predictions.class_of.size() == n, "{} predictions for {} graphs", predictions.class_of.size(),
                  n);
    std::size_t right = 0;
    for (std::size_t i = 0; i < n; ++i) right += predictions.class_of[i] == truth.class_of[i];
    return 100 * static_cast<double>(right) / static_cast<double>(n);
  }
  TWOFOLD_CHECK(predictions.values.size() == truth.values.size(), "{} predicted values for {}",
                predictions.values.size(), truth.values.size());
  const std::size_t columns = truth.values.size() / n;
  double sum = 0;
  for (std::size_t c = 0; c < columns; ++c) sum += column_score(metric, truth, predictions, c, columns);
  return sum / static_cast<double>(columns);
}

}  // namespace twofold::model
