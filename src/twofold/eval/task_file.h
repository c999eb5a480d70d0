#pragma once

#include <string>
#include <vector>

#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"
#include "twofold/model/metrics.h"

namespace twofold::eval {

/// `tasks/final-f03-r1.json`.
std::string task_file(const TaskId& task);
/// `failed/final-f03-r1.json`.
std::string failure_file(const TaskId& task);

/// A real number as records have it: JSON knows no NaN, so that is null.
model::Config number(double value);
double number(const model::Config& json);

/// What the file of a selection says.
struct TaskScores {
  std::size_t config = 0;
  double train = 0;
  double validation = 0;
};
/// Throws InputError if it is not the file of that task.
TaskScores read_selection(const Plan& plan, const RunFolder& folder, const TaskId& task);

/// The values of some metrics, in their order.
using MetricValues = std::vector<double>;

/// What the file of a final run says, opened if it is sealed.
struct FinalRun {
  TaskScores scores;
  double test = 0;
  model::Predictions predictions;  // for the test graphs, in their order
  // Every metric of the task (model::metrics_of). Train and validation are NaN in files of before they were
  // recorded; test is counted from the predictions.
  MetricValues train_metrics;
  MetricValues validation_metrics;
  MetricValues test_metrics;
  // What sureness_json gave; null in files of before it was recorded.
  model::Config sureness;
};
/// The score is counted again from the predictions, and must be what the file says: InputError.
FinalRun read_final(const Plan& plan, const RunFolder& folder, const TaskId& task, const model::Task& what,
                    const model::LabeledGraphs& test);

/// {"accuracy": 70, …}: every metric that fits the truth.
model::Config metrics_json(const Plan& plan, const model::LabeledGraphs& truth,
                           const model::Predictions& predictions);

/// The content of a final run's file with all that tells of test graphs sealed (seal.h).
model::Config seal_final(const model::Config& content, const RunFolder& folder, const TaskId& task);

}  // namespace twofold::eval
