#include "twofold/eval/protocol.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/eval/sureness.h"
#include "twofold/eval/task_file.h"

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

// A row per graph.
model::Config scores_json(const model::Predictions& predictions) {
  const std::size_t rows = predictions.class_of.size(), columns = predictions.scores.size() / rows;
  model::Config json = model::Config::array();
  for (std::size_t i = 0; i < rows; ++i) {
    model::Config row = model::Config::array();
    for (std::size_t c = 0; c < columns; ++c) row.push_back(number(predictions.scores[i * columns + c]));
    json.push_back(std::move(row));
  }
  return json;
}

void add_sureness(const Plan& plan, const model::LabeledGraphs& validation,
                  const model::Predictions& on_validation, model::Config& json) {
  if (plan.about != TargetOf::kGraphs) return;
  if (model::Config kept = sureness_json(validation, on_validation); !kept.is_null())
    json["sureness"] = std::move(kept);
}

model::LabeledGraphs joined(const model::LabeledGraphs& a, const model::LabeledGraphs& b) {
  model::LabeledGraphs both = a;
  both.graphs.insert(both.graphs.end(), b.graphs.begin(), b.graphs.end());
  both.class_of.insert(both.class_of.end(), b.class_of.begin(), b.class_of.end());
  both.values.insert(both.values.end(), b.values.begin(), b.values.end());
  return both;
}

}  // namespace

SelectionFold selection_fold(const Fold& fold, const model::Targets& targets) {
  return {targets.of(fold.train), targets.of(fold.validation)};
}

model::Config run_selection(model::Learner& learner, const Plan& plan, const TaskId& task, std::size_t config,
                            const SelectionFold& fold, const Progress& progress) {
  model::FitOptions options;
  options.seed = task_seed(plan, task, config);
  options.progress = progress;
  const model::Config& wanted = plan.grid.at(config);
  const std::vector<Rung> rungs = rungs_of(plan);
  const std::size_t share = rungs.empty() ? 1 : rungs.at(task.rung).share;
  if (share > 1) options.max_epochs = most_epochs(wanted, share).value_or(0);
  model::FitResult fit = learner.fit(wanted, fold.train, fold.validation, options);
  model::Config json = {{"task", task_name(task)}, {"fold", task.fold}, {"config", config}};
  if (options.max_epochs > 0) json["most_epochs"] = options.max_epochs;
  json["seed"] = options.seed;
  json["train"] = number(score_on(plan.metric, *fit.fitted, fold.train));
  const model::Predictions on_validation = fit.fitted->predict(fold.validation.graphs);
  json["validation"] = number(score(plan.metric, fold.validation, on_validation));
  if (plan.refit) {
    json["metrics"] = {{"validation", metrics_json(plan, fold.validation, on_validation)}};
    add_sureness(plan, fold.validation, on_validation, json);
  }
  json["notes"] = fit.notes;
  json["history"] = to_json(fit.history);
  return json;
}

model::Config run_final(model::Learner& learner, const Plan& plan, const TaskId& task, const Winner& winner,
                        const SelectionFold& fold, const model::LabeledGraphs& test, const Progress& progress) {
  model::FitOptions options;
  options.seed = task_seed(plan, task, winner.config);
  options.progress = progress;
  const model::LabeledGraphs train = plan.refit ? joined(fold.train, fold.validation) : fold.train;
  model::FitResult fit = learner.fit(plan.grid.at(winner.config), train,
                                     plan.refit ? model::LabeledGraphs() : fold.validation, options);
  const model::Predictions predictions = fit.fitted->predict(test.graphs);
  model::Config predicted = predictions.class_of;
  if (test.class_of.empty()) {
    predicted = model::Config::array();
    for (const double value : predictions.values) predicted.push_back(number(value));
  }
  const model::Predictions on_train = fit.fitted->predict(train.graphs);
  const model::Predictions on_validation =
      plan.refit ? model::Predictions() : fit.fitted->predict(fold.validation.graphs);
  model::Config json = {{"task", task_name(task)},
                        {"fold", task.fold},
                        {"run", task.run},
                        {"config", winner.config},
                        {"seed", options.seed},
                        {"train", number(score(plan.metric, train, on_train))},
                        {"validation", plan.refit ? winner.selection.at("validation")
                                                  : number(score(plan.metric, fold.validation, on_validation))},
                        {"test", number(score(plan.metric, test, predictions))},
                        {"predictions", predicted}};
  if (!predictions.scores.empty()) json["scores"] = scores_json(predictions);
  json["metrics"] = {{"train", metrics_json(plan, train, on_train)},
                     {"validation", plan.refit ? winner.selection.at("metrics").at("validation")
                                               : metrics_json(plan, fold.validation, on_validation)}};
  if (!plan.refit)
    add_sureness(plan, fold.validation, on_validation, json);
  else if (winner.selection.contains("sureness"))
    json["sureness"] = winner.selection.at("sureness");
  json["notes"] = fit.notes;
  json["history"] = to_json(fit.history);
  return json;
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
  result.did_not_learn = epoch("did_not_learn") > 0;
  return result;
}

std::size_t choose(model::Metric metric, const std::vector<double>& validation_scores) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < validation_scores.size(); ++c)
    if (is_better(metric, validation_scores[c], validation_scores[best])) best = c;
  return best;
}

std::vector<TaskScores> ranked_rung(const Plan& plan, const RunFolder& folder, std::size_t fold,
                                    std::size_t rung) {
  std::vector<TaskScores> tried;
  for (std::size_t c = 0; c < rungs_of(plan).at(rung).configs; ++c)
    tried.push_back(read_selection(plan, folder, {false, fold, c, 0, rung}));
  std::sort(tried.begin(), tried.end(), [&](const TaskScores& a, const TaskScores& b) {
    if (model::is_better(plan.metric, a.validation, b.validation)) return true;
    if (model::is_better(plan.metric, b.validation, a.validation)) return false;
    return a.config < b.config;
  });
  return tried;
}

std::size_t config_of_task(const Plan& plan, const RunFolder& folder, const TaskId& task) {
  if (task.rung == 0) return task.config;
  return ranked_rung(plan, folder, task.fold, task.rung - 1).at(task.config).config;
}

std::size_t choose(const Plan& plan, const RunFolder& folder, std::size_t fold) {
  if (plan.grid.size() == 1) return 0;
  return ranked_rung(plan, folder, fold, rungs_of(plan).size() - 1).front().config;
}

Winner find_winner(const Plan& plan, const RunFolder& folder, std::size_t fold) {
  Winner winner;
  winner.config = choose(plan, folder, fold);
  if (!plan.refit) return winner;
  const std::vector<Rung> rungs = rungs_of(plan);
  for (std::size_t c = 0; c < rungs.back().configs; ++c) {
    const TaskId task{false, fold, c, 0, rungs.size() - 1};
    if (read_selection(plan, folder, task).config != winner.config) continue;
    winner.selection = folder.read(task_file(task), record::checksum_rule(plan.format));
    const record::JsonView view(winner.selection, folder.file(task_file(task)));
    view.at("metrics").at("validation").object();  // a file without them is refused here, by name
  }
  return winner;
}

}  // namespace twofold::eval
