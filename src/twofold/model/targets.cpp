#include "twofold/model/targets.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "twofold/base/error.h"

namespace twofold::model {
namespace {

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string target_name(const Dataset& dataset, std::size_t column) {
  return dataset.target_names.empty() ? std::to_string(column + 1) : dataset.target_names[column];
}

// By name, or by number from 1; all if none are named.
std::vector<std::size_t> chosen_columns(const Dataset& dataset, const std::vector<std::string>& wanted) {
  std::vector<std::size_t> columns;
  const std::size_t count = dataset.num_real_targets;
  for (std::size_t c = 0; wanted.empty() && c < count; ++c) columns.push_back(c);
  for (const std::string& word : wanted) {
    const auto named = std::find(dataset.target_names.begin(), dataset.target_names.end(), word);
    std::optional<std::size_t> column;
    if (named != dataset.target_names.end()) {
      column = static_cast<std::size_t>(named - dataset.target_names.begin());
    } else if (const std::optional<double> number = number_of(word); number && *number >= 1 &&
                                                                     *number <= static_cast<double>(count) &&
                                                                     *number == std::floor(*number)) {
      column = static_cast<std::size_t>(*number) - 1;
    }
    if (!column)
      throw UsageError(
          fmt::format("--target: needed {}, found {}",
                      dataset.target_names.empty()
                          ? fmt::format("1..{}", count)
                          : fmt::format("{} or 1..{}", fmt::join(dataset.target_names, ", "), count),
                      in_quotes(word)));
    if (std::find(columns.begin(), columns.end(), *column) != columns.end())
      throw UsageError(fmt::format("--target: needed each target once, found {} twice", in_quotes(word)));
    columns.push_back(*column);
  }
  return columns;
}

// Classes that are numbers, as values.
std::vector<double> values_of_classes(const Dataset& dataset) {
  std::vector<double> values;
  for (const std::uint32_t c : dataset.class_of) {
    const std::optional<double> value = number_of(dataset.class_names[c]);
    if (!value)
      throw InputError(fmt::format("{}: --task values needed numbers as targets, found the class {}",
                                   dataset.name, in_quotes(dataset.class_names[c])));
    values.push_back(*value);
  }
  return values;
}

// Whether a column is 0 or 1 wherever it is known.
bool is_yes_no(const Dataset& dataset, std::size_t column) {
  for (std::size_t i = column; i < dataset.real_targets.size(); i += dataset.num_real_targets)
    if (const double value = dataset.real_targets[i]; !std::isnan(value) && value != 0 && value != 1)
      return false;
  return true;
}

bool has_holes(const Dataset& dataset, std::size_t column) {
  for (std::size_t i = column; i < dataset.real_targets.size(); i += dataset.num_real_targets)
    if (std::isnan(dataset.real_targets[i])) return true;
  return false;
}

// Graphs may be read apart from their targets (train/graph_blocks.h).
std::size_t num_graphs_of(const Dataset& dataset) {
  if (dataset.has_classes()) return dataset.class_of.size();
  if (dataset.num_real_targets > 0) return dataset.real_targets.size() / dataset.num_real_targets;
  return dataset.graphs.size();
}

// Real targets that are whole numbers, as classes.
Dataset classes_of_values(const Dataset& dataset, std::size_t column) {
  std::vector<std::string> names;
  for (std::size_t g = 0; g < num_graphs_of(dataset); ++g) {
    const double value = dataset.real_targets[g * dataset.num_real_targets + column];
    if (value != std::floor(value) || std::abs(value) > 1e15)
      throw InputError(fmt::format("{}: --task classes needed whole numbers as targets, found {} of graph {}",
                                   dataset.name, value, g + 1));
    names.push_back(fmt::format("{:.0f}", value));
  }
  Dataset classes;
  classes.set_classes(names);
  return classes;
}

// The chosen columns as questions.
Task questions(const Dataset& dataset, Task task) {
  task.kind = TaskKind::kYesNo;
  for (const std::size_t column : task.columns) task.value_names.push_back(target_name(dataset, column));
  return task;
}

TargetOf about_of(const Dataset& dataset, const TargetChoice& choice) {
  if (choice.task == "nodes") return TargetOf::kNodes;
  if (choice.task == "links") return TargetOf::kLinks;
  if (!choice.task.empty() || !choice.targets.empty() || dataset.has_classes() || dataset.num_real_targets > 0)
    return TargetOf::kGraphs;
  if (!dataset.node_targets.empty()) return TargetOf::kNodes;
  return dataset.pair_targets.empty() ? TargetOf::kGraphs : TargetOf::kLinks;
}

Task task_of_items(const Dataset& dataset, const TargetChoice& choice, TargetOf about) {
  const ItemTargets& targets = about == TargetOf::kNodes ? dataset.node_targets : dataset.pair_targets;
  if (!choice.targets.empty())
    throw UsageError(
        fmt::format("--task {}: needed no --target, found one: they have one target", to_string(about)));
  if (targets.num_known() == 0)
    throw InputError(fmt::format("{}: needed the target of one {} or more, found none", dataset.name,
                                 about == TargetOf::kNodes ? "node" : "pair of nodes"));
  Task task;
  task.about = about;
  task.class_names = targets.class_names;
  if (task.class_names.size() > 2) task.kind = TaskKind::kMultiClass;
  if (targets.has_classes()) return task;
  task.kind = TaskKind::kRegression;
  task.value_names = {"1"};
  task.columns = {0};
  return task;
}

}  // namespace

Task task_of(const Dataset& dataset, const TargetChoice& choice) {
  if (!choice.task.empty() && choice.task != "classes" && choice.task != "values" && choice.task != "nodes" &&
      choice.task != "links")
    throw UsageError(
        fmt::format("--task: needed classes, values, nodes or links, found {}", in_quotes(choice.task)));
  const TargetOf about = about_of(dataset, choice);
  if (about != TargetOf::kGraphs) return task_of_items(dataset, choice, about);
  const bool wants_values = choice.task == "values" || (choice.task.empty() && !choice.targets.empty());
  Task task;
  if (!wants_values && dataset.has_classes()) {
    if (!choice.targets.empty())
      throw UsageError("--task classes: needed no --target, found one: graphs have one class");
    task.class_names = dataset.class_names;
    if (task.class_names.size() > 2) task.kind = TaskKind::kMultiClass;
    return task;
  }
  if (choice.task == "classes") {
    // Whole numbers among the real targets are classes if someone says so.
    if (dataset.num_real_targets == 0)
      throw InputError(fmt::format("{}: needed the class of every graph, found none", dataset.name));
    task.columns = chosen_columns(dataset, choice.targets);
    for (const std::size_t column : task.columns)
      if (task.columns.size() > 1 && !is_yes_no(dataset, column))
        throw UsageError(fmt::format(
            "--task classes: needed one target (--target), or several of 0 and 1, found {} with others",
            in_quotes(target_name(dataset, column))));
    if (task.columns.size() > 1 || (is_yes_no(dataset, task.columns[0]) && has_holes(dataset, task.columns[0])))
      return questions(dataset, std::move(task));
    task.class_names = classes_of_values(dataset, task.columns[0]).class_names;
    if (task.class_names.size() > 2) task.kind = TaskKind::kMultiClass;
    return task;
  }
  task.kind = TaskKind::kRegression;
  if (dataset.num_real_targets == 0 && dataset.has_classes() && choice.targets.empty()) {
    values_of_classes(dataset);  // throws unless they are numbers
    task.value_names = {"1"};
    task.columns = {0};
    return task;
  }
  if (dataset.num_real_targets == 0)
    throw InputError(fmt::format("{}: needed a {} of every graph, found none", dataset.name,
                                 wants_values ? "real target" : "class or real target"));
  task.columns = chosen_columns(dataset, choice.targets);
  if (choice.task.empty() && task.columns.size() > 1 &&
      std::all_of(task.columns.begin(), task.columns.end(),
                  [&](std::size_t column) { return is_yes_no(dataset, column); }))
    return questions(dataset, std::move(task));
  for (const std::size_t column : task.columns) task.value_names.push_back(target_name(dataset, column));
  return task;
}

std::string hint_at_values(const Dataset& dataset, const Task& task) {
  constexpr std::size_t kFew = 5;
  if (!task.is_classification() || !dataset.has_classes() || task.class_names.size() < kFew) return "";
  for (const std::string& name : task.class_names)
    if (!number_of(name)) return "";
  std::vector<std::size_t> counts(task.class_names.size(), 0);
  for (const std::uint32_t c : dataset.class_of) ++counts[c];
  const auto rare = std::count_if(counts.begin(), counts.end(), [](std::size_t n) { return n < kFew; });
  if (2 * static_cast<std::size_t>(rare) <= counts.size()) return "";
  return fmt::format(
      "{} of {} classes have fewer than {} graphs: if these targets are numbers, take --task values", rare,
      counts.size(), kFew);
}

Targets::Targets(const Dataset& dataset, const TargetChoice& choice)
    : task_(task_of(dataset, choice)), num_items_(num_graphs_of(dataset)) {
  if (task_.about != TargetOf::kGraphs) {
    const ItemTargets& targets = task_.about == TargetOf::kNodes ? dataset.node_targets : dataset.pair_targets;
    items_ = targets.items;
    class_of_ = targets.class_of;
    values_ = targets.values;
    num_items_ = items_.size();
    for (std::uint32_t i = 0; i < num_items_; ++i)
      if (targets.is_known(i)) known_.push_back(i);
    return;
  }
  for (std::uint32_t g = 0; g < num_items_; ++g) known_.push_back(g);
  if (task_.is_classification()) {
    class_of_ =
        task_.columns.empty() ? dataset.class_of : classes_of_values(dataset, task_.columns[0]).class_of;
    return;
  }
  if (dataset.num_real_targets == 0) {
    values_ = values_of_classes(dataset);
    return;
  }
  for (std::size_t g = 0; g < num_items_; ++g)
    for (const std::size_t column : task_.columns)
      values_.push_back(dataset.real_targets[g * dataset.num_real_targets + column]);
}

LabeledGraphs Targets::of(Span<const std::uint32_t> graphs) const {
  LabeledGraphs result;
  result.graphs.assign(graphs.begin(), graphs.end());
  for (const std::uint32_t g : graphs) {
    TWOFOLD_CHECK(g < num_items_, "graph {} of {}", g, num_items_);
    if (task_.is_classification()) {
      TWOFOLD_CHECK(class_of_[g] < task_.class_names.size(), "the target of {} is not known", g);
      result.class_of.push_back(class_of_[g]);
    }
    const std::size_t width = task_.value_names.size();
    for (std::size_t j = 0; j < width; ++j) result.values.push_back(values_[g * width + j]);
  }
  return result;
}

std::vector<double> Targets::numbers(Span<const std::uint32_t> graphs) const {
  if (!task_.is_classification()) return of(graphs).values;
  std::vector<double> numbers;
  for (const std::uint32_t g : graphs)
    numbers.push_back(class_of_.at(g) < task_.class_names.size() ? static_cast<double>(class_of_[g])
                                                                 : std::numeric_limits<double>::quiet_NaN());
  return numbers;
}

}  // namespace twofold::model
