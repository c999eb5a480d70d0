#include "twofold/model/metrics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "twofold/base/error.h"

namespace twofold::model {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

constexpr MetricRow kMetrics[] = {
    // word, title, of classes, in percent, higher is better, needs scores, of links alone, also of questions
    {Metric::kAccuracy, "accuracy", "accuracy", true, true, true, false, false},
    {Metric::kBalancedAccuracy, "balanced-accuracy", "balanced accuracy", true, true, true, false, false},
    {Metric::kF1, "f1", "F1", true, true, true, false, false},
    {Metric::kRocAuc, "roc-auc", "ROC AUC", true, true, true, true, false, true},
    {Metric::kAveragePrecision, "average-precision", "average precision", true, true, true, true, false, true},
    {Metric::kHits20, "hits@20", "hits@20", true, true, true, true, true},
    {Metric::kHits50, "hits@50", "hits@50", true, true, true, true, true},
    {Metric::kMeanAbsoluteError, "mae", "MAE", false, false, false, false, false},
    {Metric::kRootMeanSquare, "rmse", "RMSE", false, false, false, false, false},
    {Metric::kR2, "r2", "R²", false, false, true, false, false},
};

bool fits(const MetricRow& row, const Task& task) {
  if (task.is_yes_no()) return row.is_of_questions;
  return row.is_of_classes == task.is_classification() &&
         (!row.is_of_links || (task.about == TargetOf::kLinks && task.kind == TaskKind::kBinary));
}

const MetricRow& row_of(Metric metric) { return kMetrics[static_cast<std::size_t>(metric)]; }

// `accuracy, f1 or r2`: the words of those that fit, or of all.
template <typename Fits>
std::string words_of(const Fits& fits) {
  std::vector<std::string> words;
  for (const MetricRow& row : kMetrics)
    if (fits(row)) words.emplace_back(row.word);
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

// Of one column of real targets.
double column_score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions,
                    std::size_t column, std::size_t columns) {
  std::size_t n = 0;  // graphs whose value is known
  double mean = 0, absolute = 0, squared = 0, deviation = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (std::isnan(truth.values[i * columns + column])) continue;
    mean += truth.values[i * columns + column];
    ++n;
  }
  if (n == 0) return kNone;
  mean /= static_cast<double>(n);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double wanted = truth.values[i * columns + column];
    if (std::isnan(wanted)) continue;
    const double error = predictions.values[i * columns + column] - wanted;
    absolute += std::abs(error);
    squared += error * error;
    deviation += (wanted - mean) * (wanted - mean);
  }
  if (metric == Metric::kMeanAbsoluteError) return absolute / static_cast<double>(n);
  if (metric == Metric::kRootMeanSquare) return std::sqrt(squared / static_cast<double>(n));
  return deviation > 0 ? 1 - squared / deviation : kNone;
}

// Of one question: ranks the graphs whose answer is known.
double question_score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions,
                      std::size_t column, std::size_t columns) {
  std::vector<double> scores;
  std::vector<std::uint8_t> is_yes;
  for (std::size_t i = column; i < truth.values.size(); i += columns) {
    if (std::isnan(truth.values[i])) continue;
    scores.push_back(predictions.values[i]);
    is_yes.push_back(truth.values[i] != 0 ? 1 : 0);
  }
  // Where all answers are the same there is nothing to rank.
  if (std::isnan(roc_auc(scores, is_yes))) return kNone;
  return 100 * (metric == Metric::kRocAuc ? roc_auc(scores, is_yes) : average_precision(scores, is_yes));
}

double value_score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions) {
  const std::size_t columns = truth.values.size() / truth.size();
  const std::vector<double> each = target_scores(metric, truth, predictions);
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    bool is_known = false;  // of any graph
    for (std::size_t i = c; i < truth.values.size(); i += columns)
      is_known = is_known || !std::isnan(truth.values[i]);
    if (!is_known || (row_of(metric).is_of_questions && std::isnan(each[c]))) continue;
    sum += each[c];
    ++count;
  }
  return count > 0 ? sum / count : kNone;
}

// The second class of two; of more, the mean of one against all others over those that occur.
template <typename OfClass>
double mean_of_classes(std::size_t num_classes, const std::vector<bool>& occurs, const OfClass& of_class) {
  if (num_classes == 2) return of_class(1);
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < num_classes; ++c) {
    if (!occurs[c]) continue;
    sum += of_class(c);
    ++count;
  }
  return count > 0 ? sum / count : kNone;
}

double ranking_score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions) {
  const std::size_t n = truth.size(), classes = predictions.scores.size() / n;
  if (classes == 0) return kNone;
  TWOFOLD_CHECK(predictions.scores.size() == n * classes, "{} scores for {} graphs", predictions.scores.size(),
                n);
  std::vector<bool> occurs(classes, false);
  for (const std::uint32_t c : truth.class_of) {
    TWOFOLD_CHECK(c < classes, "class {} of {}", c, classes);
    occurs[c] = true;
  }
  std::vector<double> scores(n);
  std::vector<std::uint8_t> is_positive(n);
  return mean_of_classes(classes, occurs, [&](std::size_t c) {
    for (std::size_t i = 0; i < n; ++i) {
      scores[i] = predictions.scores[i * classes + c];
      is_positive[i] = truth.class_of[i] == c ? 1 : 0;
    }
    if (metric == Metric::kHits20) return hits_at(20, scores, is_positive);
    if (metric == Metric::kHits50) return hits_at(50, scores, is_positive);
    return metric == Metric::kRocAuc ? roc_auc(scores, is_positive) : average_precision(scores, is_positive);
  });
}

double class_score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions) {
  const std::size_t n = truth.size();
  TWOFOLD_CHECK(predictions.class_of.size() == n, "{} predictions for {} graphs", predictions.class_of.size(),
                n);
  if (row_of(metric).needs_scores) return 100 * ranking_score(metric, truth, predictions);
  std::uint32_t last = 1;  // two classes at least
  for (const std::uint32_t c : truth.class_of) last = std::max(last, c);
  for (const std::uint32_t c : predictions.class_of) last = std::max(last, c);
  // Their number decides what F1 is, and not all need occur here.
  if (!predictions.scores.empty())
    last = std::max(last, static_cast<std::uint32_t>(predictions.scores.size() / n - 1));
  Confusion confusion(last + 1, last + 1);
  for (std::size_t i = 0; i < n; ++i) confusion.add(truth.class_of[i], predictions.class_of[i]);
  if (metric == Metric::kBalancedAccuracy) return 100 * balanced_accuracy(confusion);
  if (metric == Metric::kF1) return 100 * f1(confusion);
  return 100 * static_cast<double>(confusion.num_right()) / static_cast<double>(n);
}

// Positions from the highest score to the lowest. Empty where a score is no number.
std::vector<std::size_t> descending(Span<const double> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const double value : scores)
    if (std::isnan(value)) return {};
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

// Calls visit(positives, others) for every distinct score, from the highest to the lowest.
template <typename Visit>
void for_scores(Span<const double> scores, Span<const std::uint8_t> is_positive, const Visit& visit) {
  TWOFOLD_CHECK(scores.size() == is_positive.size());
  const std::vector<std::size_t> order = descending(scores);
  for (std::size_t i = 0; i < order.size();) {
    const double value = scores[order[i]];
    double positives = 0, others = 0;
    for (; i < order.size() && scores[order[i]] == value; ++i)
      (is_positive[order[i]] != 0 ? positives : others) += 1;
    visit(positives, others);
  }
}

}  // namespace

Span<const MetricRow> metric_table() { return {kMetrics, std::size(kMetrics)}; }

const MetricRow* find_metric(const std::string& word) {
  for (const MetricRow& row : kMetrics)
    if (word == row.word) return &row;
  return nullptr;
}

bool higher_is_better(const std::string& word) {
  const MetricRow* row = find_metric(word);
  return row != nullptr && row->higher_is_better;
}

bool is_in_percent(const std::string& word) {
  const MetricRow* row = find_metric(word);
  return row != nullptr && row->is_in_percent;
}

Metric parse_metric(const std::string& word) {
  if (const MetricRow* row = find_metric(word)) return row->metric;
  throw UsageError(fmt::format("needed a metric {}, found {}", words_of([](const MetricRow&) { return true; }),
                               in_quotes(word)));
}

std::string metric_name(Metric metric) { return row_of(metric).word; }

std::vector<Metric> metrics_of(const Task& task) {
  std::vector<Metric> metrics;
  for (const MetricRow& row : kMetrics)
    if (fits(row, task)) metrics.push_back(row.metric);
  return metrics;
}

Metric default_metric(const Task& task) {
  if (task.is_yes_no() || (task.about == TargetOf::kLinks && task.kind == TaskKind::kBinary))
    return Metric::kRocAuc;
  return task.is_classification() ? Metric::kAccuracy : Metric::kMeanAbsoluteError;
}

void require_fit(Metric metric, const Task& task) {
  const bool of_classes = task.is_classification();
  if (fits(row_of(metric), task)) return;
  if (row_of(metric).is_of_links)
    throw UsageError(
        fmt::format("the metric {} is of links of two classes (--task links)", metric_name(metric)));
  throw UsageError(fmt::format("the metric {} does not fit {}: take {}", metric_name(metric),
                               task.is_yes_no() ? "several targets of yes and no"
                               : of_classes     ? "classes"
                                                : "real targets",
                               words_of([&](const MetricRow& row) { return fits(row, task); })));
}

bool is_better(Metric metric, double a, double b) {
  if (std::isnan(a)) return false;
  if (std::isnan(b)) return true;
  return row_of(metric).higher_is_better ? a > b : a < b;
}

bool is_perfect(Metric metric, double score) {
  const MetricRow& row = row_of(metric);
  const double best = !row.higher_is_better ? 0 : row.is_in_percent ? 100 : 1;
  return !std::isnan(score) && !is_better(metric, best, score);
}

double score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions) {
  if (truth.size() == 0) return kNone;
  return truth.values.empty() ? class_score(metric, truth, predictions)
                              : value_score(metric, truth, predictions);
}

std::vector<double> target_scores(Metric metric, const LabeledGraphs& truth, const Predictions& predictions) {
  TWOFOLD_CHECK(predictions.values.size() == truth.values.size(), "{} predicted values for {}",
                predictions.values.size(), truth.values.size());
  std::vector<double> each;
  const std::size_t columns = truth.size() == 0 ? 0 : truth.values.size() / truth.size();
  for (std::size_t c = 0; c < columns; ++c)
    each.push_back(row_of(metric).is_of_questions ? question_score(metric, truth, predictions, c, columns)
                                                  : column_score(metric, truth, predictions, c, columns));
  return each;
}

std::uint64_t Confusion::of_class(std::size_t c) const {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < columns; ++k) sum += at(c, k);
  return sum;
}

std::uint64_t Confusion::num_right() const {
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < rows; ++c) sum += hits(c);
  return sum;
}

double balanced_accuracy(const Confusion& confusion) {
  double found = 0, occurring = 0;
  for (std::size_t c = 0; c < confusion.rows; ++c) {
    const auto of_class = static_cast<double>(confusion.of_class(c));
    if (of_class == 0) continue;
    found += static_cast<double>(confusion.hits(c)) / of_class;
    ++occurring;
  }
  return occurring > 0 ? found / occurring : kNone;
}

double f1(const Confusion& confusion) {
  std::vector<bool> occurs(confusion.rows);
  for (std::size_t c = 0; c < confusion.rows; ++c) occurs[c] = confusion.of_class(c) > 0;
  return mean_of_classes(confusion.rows, occurs, [&](std::size_t c) {
    std::uint64_t predicted = 0;
    for (std::size_t row = 0; c < confusion.columns && row < confusion.rows; ++row)
      predicted += confusion.at(row, c);
    const std::uint64_t all = confusion.of_class(c) + predicted;  // twice the hits, false alarms and misses
    return all > 0 ? 2 * static_cast<double>(confusion.hits(c)) / static_cast<double>(all) : kNone;
  });
}

double roc_auc(Span<const double> scores, Span<const std::uint8_t> is_positive) {
  double positives = 0, others = 0, right = 0;
  for_scores(scores, is_positive, [&](double equal_positives, double equal_others) {
    right += equal_others * (positives + equal_positives / 2);
    positives += equal_positives;
    others += equal_others;
  });
  return positives > 0 && others > 0 ? right / (positives * others) : kNone;
}

double average_precision(Span<const double> scores, Span<const std::uint8_t> is_positive) {
  double positives = 0, seen = 0, sum = 0;
  for_scores(scores, is_positive, [&](double equal_positives, double equal_others) {
    positives += equal_positives;
    seen += equal_positives + equal_others;
    sum += equal_positives * positives / seen;
  });
  return positives > 0 ? sum / positives : kNone;
}

double hits_at(std::size_t k, Span<const double> scores, Span<const std::uint8_t> is_positive) {
  double found = 0, others_above = 0, positives_seen = 0;
  for_scores(scores, is_positive, [&](double positives, double others) {
    // Equal scores are not above.
    others_above += others;
    positives_seen += positives;
    if (others_above < static_cast<double>(k)) found = positives_seen;
  });
  return positives_seen > 0 ? found / positives_seen : kNone;
}

}  // namespace twofold::model
