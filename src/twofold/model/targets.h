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
  // Classification: a row per graph with one score per class, the higher the surer. Networks give probabilities,
  // support vector machines decisions (svm::class_scores). Empty where a learner gives none.
  std::vector<double> scores;
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

}  // namespace twofold::model
