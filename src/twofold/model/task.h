#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/graph/item_targets.h"

namespace twofold::model {

/// Two classes (one output: the logit of the second), several (one output each), real values, or several
/// questions that are each answered by yes or no (one output each: the logit of yes).
enum class TaskKind { kBinary, kMultiClass, kRegression, kYesNo };

/// What is to be learnt about a graph, a node or a pair of nodes.
struct Task {
  TargetOf about = TargetOf::kGraphs;
  TaskKind kind = TaskKind::kBinary;
  // The classes, two and more (a dataset may have just one; then there is little to learn).
  std::vector<std::string> class_names;
  // Regression: the real numbers to learn, by name, and which of the dataset's they are, from 0. The same of
  // questions, whose numbers are 0 and 1.
  std::vector<std::string> value_names;
  std::vector<std::size_t> columns;

  /// One class per graph.
  bool is_classification() const { return kind == TaskKind::kBinary || kind == TaskKind::kMultiClass; }
  bool is_yes_no() const { return kind == TaskKind::kYesNo; }
  /// Classes, or numbers.
  std::size_t num_outputs() const { return is_classification() ? class_names.size() : value_names.size(); }
  /// Numbers that a graph's target is: the index of its class, or its values.
  std::size_t num_targets() const { return is_classification() ? 1 : value_names.size(); }
};

/// `graphs`, `nodes`, `links`; parsing throws UsageError for another word.
const char* to_string(TargetOf about);
TargetOf parse_target_of(const std::string& word);

TaskKind parse_task_kind(const std::string& word);
const char* to_string(TaskKind kind);

}  // namespace twofold::model
