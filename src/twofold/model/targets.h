#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/dataset.h"
#include "twofold/model/task.h"

namespace twofold::model {

/// Classification if the graphs have classes, else regression. Throws InputError if they have no target.
Task task_of(const Dataset& dataset);

/// Some graphs of a dataset, by index, and their targets: all that a learner ever gets to know of targets.
struct LabeledGraphs {
  std::vector<std::uint32_t> graphs;
  // Classification: one a graph. Else empty.
  std::vector<std::uint32_t> class_of;
  // Regression: num_values a graph. Else empty.
  std::vector<double> values;

  std::size_t size() const { return graphs.size(); }
};

/// What a learner says about some graphs, in their order; the fields are those of LabeledGraphs.
struct Predictions {
  std::vector<std::uint32_t> class_of;
  std::vector<double> values;
};

/// The targets of all graphs. Learners are never given this: the protocol takes out what they may see.
class Targets {
 public:
  explicit Targets(const Dataset& dataset);
  const Task& task() const { return task_; }
  std::size_t num_graphs() const { return num_graphs_; }
  /// The given graphs with their targets. Needs indices below num_graphs().
  LabeledGraphs of(Span<const std::uint32_t> graphs) const;

 private:
  Task task_;
  std::size_t num_graphs_ = 0;
  std::vector<std::uint32_t> class_of_;
  std::vector<double> values_;
};

enum class Metric {
  kAccuracy,           // accuracy: percent of the graphs whose class is right
  kMeanAbsoluteError,  // mae
  kRootMeanSquare,     // rmse
  kR2,                 // r2: 1 - squared error / squared deviation from the mean of the graphs scored
};

/// `accuracy`, `mae`, `rmse`, `r2`; throws UsageError for another word.
Metric parse_metric(const std::string& word);
std::string metric_name(Metric metric);
/// accuracy for classes, mae for real targets.
Metric default_metric(const Task& task);
/// Throws UsageError unless the metric fits the task.
void require_fit(Metric metric, const Task& task);
bool is_better(Metric metric, double a, double b);

/// How good predictions are, over graphs (every graph counts the same), several real targets averaged.
/// NaN without graphs, and for r2 where the targets do not vary. Needs as many predictions as graphs.
double score(Metric metric, const LabeledGraphs& truth, const Predictions& predictions);

}  // namespace twofold::model
