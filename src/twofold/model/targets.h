#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/dataset.h"
#include "twofold/model/task.h"

namespace twofold::model {

/// Which of a dataset's targets to learn, as people say it.
struct TargetChoice {
  // Names of real targets, or numbers from 1; empty: the classes, if there are any, else all real targets.
  // Several that are 0 or 1 wherever they are known are questions (TaskKind::kYesNo), unless `task` is values.
  std::vector<std::string> targets;
  // `classes` or `values` of graphs, `nodes`, `links`, or empty for what the dataset has.
  std::string task;
};

/// What is to be learnt. Throws InputError naming the dataset if it has no such target, UsageError for a target
/// that it does not have.
Task task_of(const Dataset& dataset, const TargetChoice& choice = {});

/// `--task values may be meant: …`, where most classes have fewer than five graphs and are numbers; else empty.
std::string hint_at_values(const Dataset& dataset, const Task& task);

/// Some graphs of a dataset, by index, and their targets: all that a learner ever gets to know of targets.
/// Where nodes or links are learnt, these are meant wherever graphs are said: indices are those of
/// Targets::items.
struct LabeledGraphs {
  std::vector<std::uint32_t> graphs;
  // Classification: one per graph. Else empty.
  std::vector<std::uint32_t> class_of;
  // Regression and questions: one per value of the task and graph, NaN where it is not known. Else empty.
  std::vector<double> values;

  std::size_t size() const { return graphs.size(); }
};

/// What a learner says about some graphs, in their order; the fields are those of LabeledGraphs.
struct Predictions {
  std::vector<std::uint32_t> class_of;
  std::vector<double> values;
  // Classification: a row per graph with one score per class, the higher the surer. Networks give
  // probabilities, support vector machines decisions (svm::class_scores). Empty where a learner gives none.
  std::vector<double> scores;
  bool scores_are_probabilities = false;
  // Of questions: the values are probabilities of yes.
  bool values_are_probabilities = false;
  // Of an ensemble of networks: how far its members lie apart, the standard deviation of the probability of the
  // class, one per graph, or of each value. Empty for one network and for kernels.
  std::vector<double> spreads;
};

/// The targets of all graphs. Learners are never given this: the protocol takes out what they may see.
class Targets {
 public:
  explicit Targets(const Dataset& dataset, const TargetChoice& choice = {});
  const Task& task() const { return task_; }
  /// Graphs, or nodes or pairs.
  std::size_t num_items() const { return num_items_; }
  /// The nodes or pairs that targets are about; none if those are the graphs.
  const std::vector<Item>& items() const { return items_; }
  /// Those whose target is known, ascending: real values of graphs may be known in part, so all graphs are.
  const std::vector<std::uint32_t>& known() const { return known_; }
  /// Whether nodes or pairs are of several graphs: they are then held out graph by graph.
  bool has_several_graphs() const { return !items_.empty() && items_.front().graph != items_.back().graph; }
  /// The given graphs with their targets, which must be known. Needs indices below num_items().
  LabeledGraphs of(Span<const std::uint32_t> graphs) const;
  /// The same as Task::num_targets() numbers per graph: the index of its class, or its values; NaN where the
  /// target is not known.
  std::vector<double> numbers(Span<const std::uint32_t> graphs) const;

 private:
  Task task_;
  std::size_t num_items_ = 0;
  std::vector<Item> items_;
  std::vector<std::uint32_t> known_;
  std::vector<std::uint32_t> class_of_;
  std::vector<double> values_;
};

}  // namespace twofold::model
