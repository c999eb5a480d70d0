#include "twofold/eval/protocol.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/eval/mean_std.h"
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

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

model::LabeledGraphs joined(const model::LabeledGraphs& a, const model::LabeledGraphs& b) {
  model::LabeledGraphs both = a;
  append(both.graphs, b.graphs);
  append(both.class_of, b.class_of);
  append(both.values, b.values);
  return both;
}

double mean_of(const std::vector<double>& values) { return mean_std(values).mean; }

// Key by key; a metric that some part does not have has no mean.
model::Config mean_of(const std::vector<model::Config>& metrics) {
  model::Config mean = metrics.at(0);
  for (auto& item : mean.items()) {
    std::vector<double> values;
    for (const model::Config& one : metrics) values.push_back(number(one.at(item.key())));
    item.value() = number(mean_of(values));
  }
  return mean;
}

// What a configuration is worth, part by part.
struct Scored {
  std::vector<double> train, validation;
  std::vector<model::Config> metrics;  // of validation graphs
  // All validation graphs and what was said of them.
  model::LabeledGraphs truth;
  model::Predictions predictions;

  void add(const Plan& plan, const SelectionFold& part, model::Fitted& fitted) {
    train.push_back(score_on(plan.metric, fitted, part.train));
    const model::Predictions said = fitted.predict(part.validation.graphs);
    validation.push_back(score(plan.metric, part.validation, said));
    if (plan.refit) metrics.push_back(metrics_json(plan, part.validation, said));
    truth = joined(truth, part.validation);
    append(predictions.class_of, said.class_of);
    append(predictions.values, said.values);
    append(predictions.scores, said.scores);
    append(predictions.spreads, said.spreads);
    predictions.scores_are_probabilities = said.scores_are_probabilities;
    predictions.values_are_probabilities = said.values_are_probabilities;
  }
};

}  // namespace

SelectionFold selection_fold(const Plan& plan, std::size_t fold, const model::Targets& targets) {
  const Fold& graphs = plan.splits.at(fold);
  SelectionFold known{targets.of(graphs.train), targets.of(graphs.validation)};
  if (plan.inner_folds == 1) return known;
  // No stream that draws outer folds (splits.cpp).
  const std::uint64_t seed = Random(plan.split_seed).stream(1'000'000 + fold).bits();
  for (const Fold& part : inner_folds(graphs, targets, plan.inner_folds, seed))
    known.parts.push_back({targets.of(part.train), targets.of(part.validation)});
  return known;
}

model::Config run_selection(model::Learner& learner, const Plan& plan, const TaskId& task, std::size_t config,
                            const SelectionFold& fold, const Progress& progress) {
  model::FitOptions options;
  const std::uint64_t seed = task_seed(plan, task, config);
  const model::Config& wanted = plan.grid.at(config);
  const std::vector<Rung> rungs = rungs_of(plan);
  const std::size_t share = rungs.empty() ? 1 : rungs.at(task.rung).share;
  if (share > 1) options.max_epochs = most_epochs(wanted, share).value_or(0);
  Scored scored;
  model::Config notes;
  model::History history;
  const std::size_t count = std::max<std::size_t>(fold.parts.size(), 1);
  for (std::size_t k = 0; k < count; ++k) {
    const SelectionFold& part = fold.parts.empty() ? fold : fold.parts[k];
    options.seed = fold.parts.empty() ? seed : Random(seed).stream(k).bits();
    if (progress)
      options.progress = [&progress, k, count](std::uint64_t done, std::uint64_t total) {
        progress(k * total + done, count * total);
      };
    model::FitResult fit = learner.fit(wanted, part.train, part.validation, options);
    scored.add(plan, part, *fit.fitted);
    if (k > 0) continue;
    notes = std::move(fit.notes);
    history = std::move(fit.history);
  }
  model::Config json = {{"task", task_name(task)}, {"fold", task.fold}, {"config", config}};
  if (options.max_epochs > 0) json["most_epochs"] = options.max_epochs;
  json["seed"] = seed;
  json["train"] = number(mean_of(scored.train));
  json["validation"] = number(mean_of(scored.validation));
  if (!fold.parts.empty()) {
    json["inner"] = model::Config::array();
    for (std::size_t k = 0; k < count; ++k)
      json["inner"].push_back(
          {{"train", number(scored.train[k])}, {"validation", number(scored.validation[k])}});
  }
  if (plan.refit) {
    json["metrics"] = {{"validation", mean_of(scored.metrics)}};
    add_sureness(plan, scored.truth, scored.predictions, json);
  }
  json["notes"] = notes;
  json["history"] = to_json(history);
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

std::optional<std::size_t> perfect_before(const Plan& plan, const RunFolder& folder, const TaskId& task) {
  if (plan.search != Search::kUntilPerfect || task.is_final) return std::nullopt;
  for (std::size_t c = 0; c < task.config; ++c)
    if (model::is_perfect(plan.metric, read_selection(plan, folder, {false, task.fold, c}).validation))
      return c;
  return std::nullopt;
}

model::Config spared_selection(const TaskId& task, std::size_t by) {
  return {{"task", task_name(task)},
          {"fold", task.fold},
          {"config", task.config},
          {"spared_by", by},
          {"train", nullptr},
          {"validation", nullptr},
          {"notes", model::Config::object()},
          {"history", model::Config::object()}};
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
