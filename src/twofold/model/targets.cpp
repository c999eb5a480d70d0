#include "twofold/model/targets.h"

#include "twofold/base/error.h"

namespace twofold::model {
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

}  // namespace twofold::model
