#include "twofold/eval/protocol.h"

#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/record/run_record.h"

namespace twofold::eval {
namespace {

model::Config to_json(const model::History& history) {
  model::Config json = model::Config::object();
  for (const model::History::Column& column : history.columns) {
    model::Config values = model::Config::array();
    for (const double value : column.values) values.push_back(number(value));
    json[column.name] = std::move(values);
  }
  return json;
}

double score_on(model::Metric metric, model::Fitted& fitted, const model::LabeledGraphs& graphs) {
  return score(metric, graphs, fitted.predict(graphs.graphs));
}

model::Config twins_to_json(const Plan& plan, const model::Targets& targets, const model::TwinClasses& twins) {
  std::vector<std::uint32_t> all(targets.num_graphs());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
  const model::Duplicates duplicates = count_duplicates(twins, targets.of(all));
  model::TestTwins sum;
  std::vector<double> ceilings;
  for (const Fold& fold : plan.splits) {
    const model::TestTwins one = count_test_twins(twins, targets.of(fold.train), targets.of(fold.test));
    sum.num_graphs += one.num_graphs;
    sum.twins += one.twins;
    sum.mislead += one.mislead;
    ceilings.push_back(one.ceiling);
  }
  model::Config json = {{"seen_by", twins.seen_by},          {"graphs", duplicates.num_graphs},
                        {"classes", duplicates.num_classes}, {"sharing", duplicates.sharing},
                        {"mixed", duplicates.mixed},         {"test_graphs", sum.num_graphs},
                        {"test_with_train_twin", sum.twins}, {"test_with_other_label", sum.mislead}};
  if (targets.task().is_classification()) {
    json["ceiling"] = duplicates.ceiling;
    json["test_ceiling"] = mean_std(ceilings).mean;
  }
  return json;
}

// What the file of a task says.
struct TaskScores {
  std::size_t config = 0;
  double train = 0;
  double validation = 0;
  double test = 0;  // of a final run
};

std::string task_file(const TaskId& task) { return "tasks/" + task_name(task) + ".json"; }

// Reads the file of that task, and sees that it is of no other: files are easily copied.
TaskScores task_scores(const Plan& plan, const TaskId& task, const record::JsonView& view) {
  const std::string name = task_name(task);
  if (view.at("task").text() != name) view.at("task").refuse(in_quotes(name));
  TaskScores scores;
  scores.config = view.at("config").count(plan.grid.size() - 1);
  scores.train = view.at("train").number_or_nan();
  scores.validation = view.at("validation").number_or_nan();
  if (task.is_final)
    scores.test = view.at("test").number_or_nan();
  else if (scores.config != task.config)
    view.at("config").refuse(fmt::format("{}", task.config));
  return scores;
}

TaskScores read_task(const Plan& plan, const RunFolder& folder, const TaskId& task) {
  const model::Config json = folder.read(task_file(task), record::checksum_rule(plan.format));
  return task_scores(plan, task, {json, folder.file(task_file(task))});
}

// The score is counted again from the predictions beside it.
TaskScores read_final(const Plan& plan, const RunFolder& folder, const TaskId& task,
                      const model::LabeledGraphs& test) {
  const model::Config json = folder.read(task_file(task), record::checksum_rule(plan.format));
  const record::JsonView view(json, folder.file(task_file(task)));
  const TaskScores scores = task_scores(plan, task, view);
  const record::JsonView predicted = view.at("predictions");
  model::Predictions predictions;
  const std::size_t needed = test.class_of.empty() ? test.values.size() : test.size();
  if (predicted.size() != needed)
    predicted.refuse(fmt::format("{} predictions", needed), fmt::format("{}", predicted.size()));
  if (test.class_of.empty())
    predictions.values = predicted.numbers_or_nan();
  else
    for (const std::int64_t c : predicted.integers(0, std::numeric_limits<std::uint32_t>::max()))
      predictions.class_of.push_back(static_cast<std::uint32_t>(c));
  const double counted = score(plan.metric, test, predictions);
  // Values go through text without loss, but a record need not have been made on the same kind of CPU.
  const double most = 1e-9 * (1 + std::abs(counted));
  const bool is_same =
      std::isfinite(counted) ? std::abs(scores.test - counted) <= most : std::isnan(scores.test);
  if (!is_same)
    view.at("test").refuse(fmt::format("{}, the score of the predictions", record::json_text(number(counted))));
  return scores;
}

}  // namespace

model::Config number(double value) {
  return std::isfinite(value) ? model::Config(value) : model::Config(nullptr);
}
double number(const model::Config& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

SelectionFold selection_fold(const Fold& fold, const model::Targets& targets) {
  return {targets.of(fold.train), targets.of(fold.validation)};
}

model::Config run_selection(model::Learner& learner, const Plan& plan, const TaskId& task,
                            const SelectionFold& fold, const Progress& progress) {
  model::FitOptions options;
  options.seed = task_seed(plan, task);
  options.progress = progress;
  model::FitResult fit = learner.fit(plan.grid.at(task.config), fold.train, fold.validation, options);
  return {{"task", task_name(task)},
          {"fold", task.fold},
          {"config", task.config},
          {"seed", options.seed},
          {"train", number(score_on(plan.metric, *fit.fitted, fold.train))},
          {"validation", number(score_on(plan.metric, *fit.fitted, fold.validation))},
          {"notes", fit.notes},
          {"history", to_json(fit.history)}};
}

model::Config run_final(model::Learner& learner, const Plan& plan, const TaskId& task, std::size_t chosen,
                        const SelectionFold& fold, const model::LabeledGraphs& test, const Progress& progress) {
  model::FitOptions options;
  options.seed = task_seed(plan, task);
  options.progress = progress;
  model::FitResult fit = learner.fit(plan.grid.at(chosen), fold.train, fold.validation, options);
  const model::Predictions predictions = fit.fitted->predict(test.graphs);
  model::Config predicted = predictions.class_of;
  if (test.class_of.empty()) {
    predicted = model::Config::array();
    for (const double value : predictions.values) predicted.push_back(number(value));
  }
  return {{"task", task_name(task)},
          {"fold", task.fold},
          {"run", task.run},
          {"config", chosen},
          {"seed", options.seed},
          {"train", number(score_on(plan.metric, *fit.fitted, fold.train))},
          {"validation", number(score_on(plan.metric, *fit.fitted, fold.validation))},
          {"test", number(score(plan.metric, test, predictions))},
          {"predictions", predicted},
          {"notes", fit.notes},
          {"history", to_json(fit.history)}};
}

ValidationResult read_validation(const Plan& plan, const RunFolder& folder, const TaskId& task) {
  const model::Config json = folder.read(task_file(task), record::checksum_rule(plan.format));
  const record::JsonView view(json, folder.file(task_file(task)));
  const std::string name = task_name(task);
  if (view.at("task").text() != name) view.at("task").refuse(in_quotes(name));
  ValidationResult result;
  result.score = view.at("validation").number_or_nan();
  const record::JsonView notes = view.at("notes");
  const auto epoch = [&](const char* key) {
    return notes.at(key).is_there() ? static_cast<int>(notes.at(key).count(1'000'000)) : 0;
  };
  result.epochs = epoch("epochs");
  result.best_epoch = epoch("best_epoch");
  return result;
}

std::size_t choose(model::Metric metric, const std::vector<double>& validation_scores) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < validation_scores.size(); ++c)
    if (is_better(metric, validation_scores[c], validation_scores[best])) best = c;
  return best;
}

std::size_t choose(const Plan& plan, const RunFolder& folder, std::size_t fold) {
  if (plan.grid.size() == 1) return 0;
  std::vector<double> scores;
  for (std::size_t c = 0; c < plan.grid.size(); ++c)
    scores.push_back(read_task(plan, folder, {false, fold, c, 0}).validation);
  return choose(plan.metric, scores);
}

model::Config summarize(const Plan& plan, const RunFolder& folder, const model::Targets& targets,
                        const std::optional<model::TwinClasses>& twins) {
  model::Config folds = model::Config::array();
  std::vector<double> tests, trains, validations;
  for (std::size_t f = 0; f < plan.splits.size(); ++f) {
    std::vector<double> test, train, validation;
    model::Config runs = model::Config::array();
    std::size_t chosen = 0;
    for (std::size_t r = 1; r <= static_cast<std::size_t>(plan.repeats); ++r) {
      const TaskScores run = read_final(plan, folder, {true, f, 0, r}, targets.of(plan.splits[f].test));
      chosen = run.config;
      test.push_back(run.test);
      train.push_back(run.train);
      validation.push_back(run.validation);
      runs.push_back(
          {{"test", number(run.test)}, {"train", number(run.train)}, {"validation", number(run.validation)}});
    }
    tests.push_back(mean_std(test).mean);
    trains.push_back(mean_std(train).mean);
    validations.push_back(mean_std(validation).mean);
    const Fold& fold = plan.splits[f];
    folds.push_back(
        {{"test", number(tests.back())},
         {"train", number(trains.back())},
         {"validation", number(validations.back())},
         {"config", plan.grid.at(chosen)},
         {"config_index", chosen},
         {"runs", runs},
         {"graphs",
          {{"train", fold.train.size()}, {"validation", fold.validation.size()}, {"test", fold.test.size()}}}});
  }
  // One radius, if the grid leaves no choice.
  model::Config radius = nullptr;
  if (plan.grid[0].contains("radius")) {
    radius = plan.grid[0]["radius"];
    for (const model::Config& config : plan.grid)
      if (config["radius"] != radius) radius = nullptr;
  }
  const MeanStd test = mean_std(tests), train = mean_std(trains), validation = mean_std(validations);
  model::Config result = {{"dataset", plan.dataset},
                          {"model", plan.model},
                          {"radius", radius},
                          {"preset", plan.preset},
                          {"metric", model::metric_name(plan.metric)},
                          {"configurations", plan.grid.size()},
                          {"repeats", plan.repeats},
                          {"seed", plan.seed},
                          {"folds", folds},
                          {"test_mean", number(test.mean)},
                          {"test_std", number(test.std)},
                          {"train_mean", number(train.mean)},
                          {"train_std", number(train.std)},
                          {"validation_mean", number(validation.mean)},
                          {"validation_std", number(validation.std)}};
  if (twins) result["twins"] = twins_to_json(plan, targets, *twins);
  return result;
}

}  // namespace twofold::eval
