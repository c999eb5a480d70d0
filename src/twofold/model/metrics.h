#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/model/targets.h"

namespace twofold::model {

/// With two classes F1, ROC AUC and average precision are those of the second class. With more they are the
/// mean, over the classes that occur, of one class against all others.
enum class Metric {
  kAccuracy,           // graphs whose class is right
  kBalancedAccuracy,   // the mean, over the classes that occur, of the part of each that is found
  kF1,                 // 2 hits / (2 hits + false alarms + misses)
  kRocAuc,             // the chance that a graph of the class has a higher score than another; ties count half
  kAveragePrecision,   // precision at each distinct score, weighted by the recall it adds
  kHits20,             // of links: the part of class 1 that has a higher score than all but 19 of class 0 …
  kHits50,             // … than all but 49
  kMeanAbsoluteError,  // of real targets
  kRootMeanSquare,
  kR2,  // 1 - squared error / squared deviation from the mean of the graphs scored
};

/// All there is to know of a metric but its value. One row per metric, in the order of the enum.
struct MetricRow {
  Metric metric;
  const char* word;   // as --metric and records have it
  const char* title;  // as people write it
  bool is_of_classes;
  bool is_in_percent;
  bool higher_is_better;
  bool needs_scores;             // of classes; without them it is NaN
  bool is_of_links;              // of two classes of links alone
  bool is_of_questions = false;  // also of several yes-or-no targets: the mean of them
};
Span<const MetricRow> metric_table();
/// Nullptr for a word that is none.
const MetricRow* find_metric(const std::string& word);
/// Whether more is better; false for a word that is no metric.
bool higher_is_better(const std::string& word);
bool is_in_percent(const std::string& word);

/// Throws UsageError, naming all metrics, for another word.
Metric parse_metric(const std::string& word);
std::string metric_name(Metric metric);
/// Those that fit the task, in the order of the table.
std::vector<Metric> metrics_of(const Task& task);
/// accuracy for classes, roc-auc for links of two classes and for questions, mae for real targets.
Metric default_metric(const Task& task);
/// Throws UsageError unless the metric fits the task.
void require_fit(Metric metric, const Task& task);
/// NaN is worse than all.
bool is_better(Metric metric, double a, double b);
/// Whether no score is better: every answer is right, or exact.
bool is_perfect(Metric metric, double score);

/// How good predictions are, over graphs (every graph counts the same), in percent where the table says so.
/// Several targets are averaged; a NaN among them is a target that is not known and does not count, nor does
/// one of yes or no whose known answers are all the same. NaN where there is no answer: without graphs; for r2
/// where the targets do not vary; for classes where none, or (ROC AUC) only one of those needed occurs; where
/// scores are needed and the learner gives none, or one that is no number. Needs as many predictions as graphs.
/// O(n log n) per class.
double score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions);
/// The same of each target: as many as a graph has values. NaN where one has no answer.
std::vector<double> target_scores(Metric metric, const LabeledGraphs& truth, const Predictions& predictions);

/// How often graphs of one class were said to be of another: a row per true class, a column per predicted one.
struct Confusion {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint64_t> counts;

  Confusion() = default;
  Confusion(std::size_t num_rows, std::size_t num_columns)
      : rows(num_rows), columns(num_columns), counts(num_rows * num_columns, 0) {}
  void add(std::size_t truth, std::size_t predicted) { ++counts[truth * columns + predicted]; }
  std::uint64_t at(std::size_t truth, std::size_t predicted) const {
    return counts[truth * columns + predicted];
  }
  /// Right ones of a class; a class that has no column is never found.
  std::uint64_t hits(std::size_t c) const { return c < columns ? at(c, c) : 0; }
  /// Graphs of a class.
  std::uint64_t of_class(std::size_t c) const;
  std::uint64_t num_right() const;
};

/// Of the classes below, as fractions. NaN where no class occurs.
double balanced_accuracy(const Confusion& confusion);
double f1(const Confusion& confusion);
/// `is_positive` has an entry per score, 1 or 0. NaN where one of both kinds is missing, or a score is NaN.
double roc_auc(Span<const double> scores, Span<const std::uint8_t> is_positive);
/// NaN without positives, or where a score is NaN.
double average_precision(Span<const double> scores, Span<const std::uint8_t> is_positive);
/// The part of the positives whose score is above that of the k-th best of the others (of all, if these are
/// fewer than k). NaN as average_precision.
double hits_at(std::size_t k, Span<const double> scores, Span<const std::uint8_t> is_positive);

}  // namespace twofold::model
