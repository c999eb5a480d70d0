#include "twofold/eval/task_file.h"

#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/eval/seal.h"
#include "twofold/record/run_record.h"

namespace twofold::eval {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// What tells of test graphs.
constexpr const char* kTestKeys[] = {"test", "predictions", "scores"};

// Of the file of that task and no other: files are easily copied.
TaskScores task_scores(const Plan& plan, const TaskId& task, const record::JsonView& view) {
  const std::string name = task_name(task);
  if (view.at("task").text() != name) view.at("task").refuse(in_quotes(name));
  TaskScores scores;
  scores.config = view.at("config").count(plan.grid.size() - 1);
  scores.train = view.at("train").number_or_nan();
  scores.validation = view.at("validation").number_or_nan();
  if (!task.is_final && task.rung == 0 && scores.config != task.config)
    view.at("config").refuse(fmt::format("{}", task.config));
  return scores;
}

model::Predictions read_predictions(const record::JsonView& view, const model::LabeledGraphs& test,
                                    std::size_t num_classes) {
  const record::JsonView predicted = view.at("predictions");
  model::Predictions predictions;
  const std::size_t needed = test.class_of.empty() ? test.values.size() : test.size();
  if (predicted.size() != needed)
    predicted.refuse(fmt::format("{} predictions", needed), fmt::format("{}", predicted.size()));
  if (test.class_of.empty()) {
    predictions.values = predicted.numbers_or_nan();
    return predictions;
  }
  for (const std::int64_t c : predicted.integers(0, static_cast<std::int64_t>(num_classes) - 1))
    predictions.class_of.push_back(static_cast<std::uint32_t>(c));
  const record::JsonView scores = view.at("scores");
  if (!scores.is_there()) return predictions;
  if (scores.size() != needed)
    scores.refuse(fmt::format("{} rows of scores", needed), fmt::format("{}", scores.size()));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::vector<double> row = scores.item(i).numbers_or_nan();
    if (row.size() != num_classes)
      scores.item(i).refuse(fmt::format("{} scores", num_classes), fmt::format("{}", row.size()));
    predictions.scores.insert(predictions.scores.end(), row.begin(), row.end());
  }
  return predictions;
}

MetricValues read_metrics(const record::JsonView& view, const char* part, const model::Task& task) {
  MetricValues values;
  const record::JsonView all = view.at("metrics");
  for (const model::Metric metric : metrics_of(task)) {
    const record::JsonView value =
        all.is_there() ? all.at(part).at(model::metric_name(metric).c_str()) : view.at("metrics");
    values.push_back(value.is_there() ? value.number_or_nan() : kNone);
  }
  return values;
}

}  // namespace

std::string task_file(const TaskId& task) { return "tasks/" + task_name(task) + ".json"; }
std::string failure_file(const TaskId& task) { return "failed/" + task_name(task) + ".json"; }

model::Config number(double value) {
  return std::isfinite(value) ? model::Config(value) : model::Config(nullptr);
}
double number(const model::Config& json) { return json.is_number() ? json.get<double>() : kNone; }

TaskScores read_selection(const Plan& plan, const RunFolder& folder, const TaskId& task) {
  const model::Config json = folder.read(task_file(task), record::checksum_rule(plan.format));
  return task_scores(plan, task, {json, folder.file(task_file(task))});
}

FinalRun read_final(const Plan& plan, const RunFolder& folder, const TaskId& task, const model::Task& what,
                    const model::LabeledGraphs& test) {
  model::Config json = folder.read(task_file(task), record::checksum_rule(plan.format));
  const std::string source = folder.file(task_file(task));
  if (const record::JsonView sealed = record::JsonView(json, source).at("sealed"); sealed.is_there()) {
    const model::Config opened = open_seal(folder, task_name(task), sealed);
    for (const auto& item : opened.items()) json[item.key()] = item.value();
  }
  const record::JsonView view(json, source);
  FinalRun run;
  run.scores = task_scores(plan, task, view);
  run.test = view.at("test").number_or_nan();
  run.predictions = read_predictions(view, test, what.num_outputs());
  const double counted = score(plan.metric, test, run.predictions);
  // Values go through text without loss, but a record need not have been made on the same kind of CPU.
  const double most = 1e-9 * (1 + std::abs(counted));
  const bool is_same = std::isfinite(counted) ? std::abs(run.test - counted) <= most : std::isnan(run.test);
  if (!is_same) {
    if (plan.blind) throw InputError(fmt::format("{}: its test score is not that of its predictions", source));
    view.at("test").refuse(fmt::format("{}, the score of the predictions", record::json_text(number(counted))));
  }
  if (view.at("sureness").is_there()) run.sureness = json["sureness"];
  run.train_metrics = read_metrics(view, "train", what);
  run.validation_metrics = read_metrics(view, "validation", what);
  for (const model::Metric metric : metrics_of(what))
    run.test_metrics.push_back(score(metric, test, run.predictions));
  return run;
}

model::Config metrics_json(const Plan& plan, const model::LabeledGraphs& truth,
                           const model::Predictions& predictions) {
  const bool has_links = plan.about == TargetOf::kLinks && predictions.scores.size() == 2 * truth.size();
  model::Config json = model::Config::object();
  for (const model::MetricRow& row : model::metric_table()) {
    const bool fits = predictions.values_are_probabilities
                          ? row.is_of_questions
                          : row.is_of_classes == truth.values.empty() && (has_links || !row.is_of_links);
    if (fits) json[row.word] = number(score(row.metric, truth, predictions));
  }
  return json;
}

model::Config seal_final(const model::Config& content, const RunFolder& folder, const TaskId& task) {
  model::Config hidden = model::Config::object(), open = model::Config::object();
  for (const auto& item : content.items()) {
    bool is_hidden = false;
    for (const char* key : kTestKeys) is_hidden = is_hidden || item.key() == key;
    (is_hidden ? hidden : open)[item.key()] = item.value();
    if (item.key() == "test") open["sealed"] = nullptr;  // in its place
  }
  open["sealed"] = seal(folder, task_name(task), hidden);
  return open;
}

}  // namespace twofold::eval
