#include "cli/prediction_scores.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "cli/table.h"
#include "twofold/base/error.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

// A wider matrix fits no terminal.
constexpr std::size_t kPrintedClasses = 12;

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

void score_classes(const Predictions& predictions, PredictionScores& scores) {
  scores.true_classes = predictions.classes;
  std::map<std::string, std::size_t> row_of;
  for (std::size_t c = 0; c < predictions.classes.size(); ++c) row_of[predictions.classes[c]] = c;
  for (const std::string& name : predictions.true_classes)
    if (row_of.emplace(name, scores.true_classes.size()).second) scores.true_classes.push_back(name);
  scores.confusion = model::Confusion(scores.true_classes.size(), predictions.classes.size());
  std::vector<double> second_scores;
  std::vector<std::uint8_t> is_second;
  for (std::size_t g = 0; g < predictions.graphs.size(); ++g) {
    const Prediction& one = predictions.graphs[g];
    const std::size_t row = row_of.at(predictions.true_classes[g]);
    scores.confusion.add(row, one.class_index.value());
    if (predictions.classes.size() != 2 || row > 1) continue;
    second_scores.push_back(one.scores.at(1));
    is_second.push_back(row == 1 ? 1 : 0);
  }
  const auto all = static_cast<double>(scores.num_graphs);
  scores.accuracy = static_cast<double>(scores.confusion.num_right()) / all;
  scores.balanced_accuracy = model::balanced_accuracy(scores.confusion);
  if (const double auc = model::roc_auc(second_scores, is_second); !std::isnan(auc)) scores.auc = auc;
  std::vector<std::uint64_t> count;
  for (std::size_t c = 0; c < scores.confusion.rows; ++c) count.push_back(scores.confusion.of_class(c));
  const auto most = std::max_element(count.begin(), count.end());
  scores.most_frequent = scores.true_classes[static_cast<std::size_t>(most - count.begin())];
  scores.most_frequent_accuracy = static_cast<double>(*most) / all;
}

void score_values(const Predictions& predictions, PredictionScores& scores) {
  const std::size_t width = predictions.values.size();
  bool has_r2 = true;
  double r2 = 0, scored = 0;
  for (std::size_t c = 0; c < width; ++c) {
    PredictionScores::Target target;
    target.name = predictions.values[c];
    double mean = 0, squares = 0, spread = 0;
    const auto truth = [&](std::size_t g) { return predictions.true_values[g * width + c]; };
    for (std::size_t g = 0; g < scores.num_graphs; ++g)
      if (!std::isnan(truth(g))) {
        mean += truth(g);
        ++target.num_graphs;
      }
    const auto all = static_cast<double>(target.num_graphs);
    mean /= all;
    for (std::size_t g = 0; g < scores.num_graphs; ++g) {
      if (std::isnan(truth(g))) continue;
      const double difference = predictions.graphs[g].scores.at(c) - truth(g);
      target.mean_absolute_error += std::abs(difference) / all;
      squares += difference * difference;
      spread += (truth(g) - mean) * (truth(g) - mean);
    }
    if (target.num_graphs > 0) {
      target.root_mean_squared_error = std::sqrt(squares / all);
      if (spread > 0) target.r2 = 1 - squares / spread;
      scores.mean_absolute_error += target.mean_absolute_error;
      scores.root_mean_squared_error += target.root_mean_squared_error;
      has_r2 = has_r2 && target.r2.has_value();
      r2 += target.r2.value_or(0);
      ++scored;
    }
    scores.targets.push_back(std::move(target));
  }
  scores.mean_absolute_error /= scored;
  scores.root_mean_squared_error /= scored;
  if (has_r2) scores.r2 = r2 / scored;
}

void score_questions(const Predictions& predictions, PredictionScores& scores) {
  const std::size_t width = predictions.values.size();
  model::LabeledGraphs truth;
  truth.graphs.resize(scores.num_graphs);
  truth.values = predictions.true_values;
  model::Predictions said;
  for (const Prediction& one : predictions.graphs)
    said.values.insert(said.values.end(), one.scores.begin(), one.scores.end());
  const auto found = [](double percent) {
    return std::isnan(percent) ? std::optional<double>() : std::optional<double>(percent / 100);
  };
  const auto aucs = target_scores(model::Metric::kRocAuc, truth, said);
  const auto precisions = target_scores(model::Metric::kAveragePrecision, truth, said);
  for (std::size_t c = 0; c < width; ++c) {
    PredictionScores::Question question;
    question.name = predictions.values[c];
    for (std::size_t i = c; i < truth.values.size(); i += width) {
      question.num_graphs += !std::isnan(truth.values[i]);
      question.num_yes += truth.values[i] == 1;
    }
    question.auc = found(aucs[c]);
    question.average_precision = found(precisions[c]);
    scores.questions.push_back(std::move(question));
  }
  scores.mean_auc = found(score(model::Metric::kRocAuc, truth, said));
  scores.mean_average_precision = found(score(model::Metric::kAveragePrecision, truth, said));
}

void print_questions(const PredictionScores& scores, std::ostream& out) {
  const auto text = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4f}", *value) : std::string("-");
  };
  fmt::print(out, "{} graph{}: ROC AUC {}, average precision {} (means of the targets)\n", scores.num_graphs,
             scores.num_graphs == 1 ? "" : "s", text(scores.mean_auc), text(scores.mean_average_precision));
  Table table({"<target", "graphs", "yes", "ROC AUC", "average precision"});
  for (const PredictionScores::Question& question : scores.questions)
    table.add_row({plain_word(question.name), fmt::format("{}", question.num_graphs),
                   fmt::format("{}", question.num_yes), text(question.auc), text(question.average_precision)});
  table.print(out);
}

double coverage_of(const Predictions& predictions) {
  double inside = 0, known = 0;
  const std::size_t width = predictions.values.size();
  for (std::size_t g = 0; g < predictions.graphs.size(); ++g) {
    const Prediction& one = predictions.graphs[g];
    if (predictions.has_classes()) {
      ++known;
      for (const std::uint32_t c : one.class_set)
        inside += predictions.classes[c] == predictions.true_classes[g];
      continue;
    }
    for (std::size_t c = 0; c < width; ++c) {
      const double truth = predictions.true_values[g * width + c];
      if (std::isnan(truth)) continue;
      ++known;
      inside += truth >= one.interval[2 * c] && truth <= one.interval[2 * c + 1];
    }
  }
  return inside / known;
}

std::string coverage_text(const Predictions& predictions, const PredictionScores& scores) {
  if (!scores.coverage) return "";
  return fmt::format("intervals of {:g} %: the truth lies within {:.1f} % of them\n", 100 * predictions.level,
                     100 * *scores.coverage);
}

}  // namespace

namespace {

// Nodes and links whose target is not known are left out.
void add_item_truth(Predictions& predictions, const Dataset& dataset, const std::string& source) {
  const bool are_links = predictions.is_of_links();
  const ItemTargets& targets = are_links ? dataset.pair_targets : dataset.node_targets;
  if (targets.empty() || targets.num_known() == 0 || targets.has_classes() != predictions.has_classes())
    throw InputError(fmt::format("{}: --score needed {} of {}, found {}", source,
                                 predictions.has_classes() ? "classes" : "real targets", predictions.what(),
                                 targets.empty() || targets.num_known() == 0 ? "none"
                                 : targets.has_classes()                     ? "classes"
                                                                             : "real targets"));
  std::vector<Prediction> known;
  std::vector<Item> items;
  for (std::size_t i = 0; i < targets.items.size(); ++i) {
    if (!targets.is_known(i)) continue;
    known.push_back(std::move(predictions.graphs[i]));
    items.push_back(predictions.items[i]);
    if (targets.has_classes())
      predictions.true_classes.push_back(targets.class_names[targets.class_of[i]]);
    else
      predictions.true_values.push_back(targets.values[i]);
  }
  predictions.graphs = std::move(known);
  predictions.items = std::move(items);
}

}  // namespace

void add_truth(Predictions& predictions, const Dataset& dataset, const std::vector<std::size_t>& columns,
               const std::string& source) {
  if (!predictions.items.empty()) {
    add_item_truth(predictions, dataset, source);
    return;
  }
  const std::string found = dataset.has_classes() ? "classes"
                            : dataset.num_real_targets > 0
                                ? fmt::format("{} real targets", dataset.num_real_targets)
                                : "no targets";
  predictions.true_classes.clear();
  predictions.true_values.clear();
  if (predictions.has_classes()) {
    if (!dataset.has_classes())
      throw InputError(fmt::format("{}: --score needed the class of every graph, found {}", source, found));
    for (const std::uint32_t c : dataset.class_of) predictions.true_classes.push_back(dataset.class_names[c]);
    return;
  }
  bool is_any_known = false;
  // Where both name their targets, names count: a table may have other columns.
  std::vector<std::size_t> places = columns;
  for (std::size_t c = 0; c < places.size() && c < predictions.values.size(); ++c) {
    const auto named =
        std::find(dataset.target_names.begin(), dataset.target_names.end(), predictions.values[c]);
    if (named != dataset.target_names.end())
      places[c] = static_cast<std::size_t>(named - dataset.target_names.begin());
    else if (!dataset.target_names.empty() && !dataset.smiles.empty())
      throw InputError(fmt::format("{}: --score needed the column {}, found {}", source,
                                   in_quotes(predictions.values[c]), fmt::join(dataset.target_names, ", ")));
  }
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g)
    for (const std::size_t column : places) {
      std::optional<double> value;
      if (column < dataset.num_real_targets)
        value = dataset.real_targets[g * dataset.num_real_targets + column];
      else if (dataset.has_classes() && column == 0)  // whole numbers are read as classes
        value = number_in(dataset.class_names[dataset.class_of[g]]);
      if (!value)
        throw InputError(fmt::format("{}: --score needed the real target {} of every graph, found {}", source,
                                     column + 1, found));
      if (predictions.are_probabilities && !std::isnan(*value) && *value != 0 && *value != 1)
        throw InputError(
            fmt::format("{}: --score needed answers 0 and 1, found {} of graph {}", source, *value, g + 1));
      is_any_known = is_any_known || !std::isnan(*value);
      predictions.true_values.push_back(*value);
    }
  if (!is_any_known)
    throw InputError(fmt::format("{}: --score needed a known target of one graph or more, found none", source));
}

PredictionScores score_predictions(const Predictions& predictions) {
  TWOFOLD_CHECK(predictions.has_truth());
  PredictionScores scores;
  scores.num_graphs = predictions.graphs.size();
  if (predictions.has_classes())
    score_classes(predictions, scores);
  else if (predictions.are_probabilities)
    score_questions(predictions, scores);
  else
    score_values(predictions, scores);
  if (predictions.level > 0 && !predictions.are_probabilities) scores.coverage = coverage_of(predictions);
  return scores;
}

ordered_json scores_json(const Predictions& predictions, const PredictionScores& scores) {
  ordered_json json = {{"graphs", scores.num_graphs}};
  const auto or_null = [](const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
  };
  if (predictions.has_classes()) {
    json["accuracy"] = 100 * scores.accuracy;
    json["balanced_accuracy"] = 100 * scores.balanced_accuracy;
    if (predictions.classes.size() == 2) json["auc"] = or_null(scores.auc);
    json["baseline"] = {{"class", scores.most_frequent}, {"accuracy", 100 * scores.most_frequent_accuracy}};
    json["true_classes"] = scores.true_classes;
    ordered_json rows = ordered_json::array();
    for (std::size_t c = 0; c < scores.confusion.rows; ++c) {
      ordered_json row = ordered_json::array();
      for (std::size_t k = 0; k < scores.confusion.columns; ++k) row.push_back(scores.confusion.at(c, k));
      rows.push_back(std::move(row));
    }
    json["confusion"] = std::move(rows);
  } else if (predictions.are_probabilities) {
    json["auc"] = or_null(scores.mean_auc);
    json["average_precision"] = or_null(scores.mean_average_precision);
    for (const PredictionScores::Question& question : scores.questions)
      json["targets"][question.name] = {{"graphs", question.num_graphs},
                                        {"yes", question.num_yes},
                                        {"auc", or_null(question.auc)},
                                        {"average_precision", or_null(question.average_precision)}};
  } else {
    json["mae"] = scores.mean_absolute_error;
    json["rmse"] = scores.root_mean_squared_error;
    json["r2"] = or_null(scores.r2);
    for (const PredictionScores::Target& target : scores.targets)
      if (scores.targets.size() > 1)
        json["targets"][target.name] = {{"graphs", target.num_graphs},
                                        {"mae", target.mean_absolute_error},
                                        {"rmse", target.root_mean_squared_error},
                                        {"r2", or_null(target.r2)}};
  }
  if (scores.coverage) json["coverage"] = {{"level", predictions.level}, {"found", *scores.coverage}};
  return json;
}

void print_scores(const Predictions& predictions, const PredictionScores& scores, std::ostream& out) {
  if (predictions.are_probabilities) {
    print_questions(scores, out);
    return;
  }
  const std::string what = predictions.what();
  const std::string graphs =
      fmt::format("{} {}", scores.num_graphs, scores.num_graphs == 1 ? what.substr(0, what.size() - 1) : what);
  if (!predictions.has_classes()) {
    fmt::print(out, "{}: mean absolute error {:.4g}, root mean square {:.4g}, R² {}\n", graphs,
               scores.mean_absolute_error, scores.root_mean_squared_error,
               scores.r2 ? fmt::format("{:.4f}", *scores.r2) : "undefined (all values are equal)");
    out << coverage_text(predictions, scores);
    if (scores.targets.size() == 1) return;
    Table table({"<target", what, "mae", "rmse", "R²"});
    for (const PredictionScores::Target& target : scores.targets)
      table.add_row({plain_word(target.name), fmt::format("{}", target.num_graphs),
                     fmt::format("{:.4g}", target.mean_absolute_error),
                     fmt::format("{:.4g}", target.root_mean_squared_error),
                     target.r2 ? fmt::format("{:.4f}", *target.r2) : "-"});
    table.print(out);
    return;
  }
  fmt::print(out, "{}: accuracy {:.2f} %, balanced {:.2f} %", graphs, 100 * scores.accuracy,
             100 * scores.balanced_accuracy);
  if (scores.auc) fmt::print(out, ", AUC {:.4f}", *scores.auc);
  fmt::print(out, "\n{}always class {}: accuracy {:.2f} %\n", coverage_text(predictions, scores),
             plain_word(scores.most_frequent), 100 * scores.most_frequent_accuracy);
  if (scores.true_classes.size() > kPrintedClasses) {
    fmt::print(out, "{} classes: --json has the confusion matrix\n", scores.true_classes.size());
    return;
  }
  std::vector<std::string> headers = {"<true class"};
  for (const std::string& name : predictions.classes) headers.push_back("as " + plain_word(name));
  Table table(headers);
  for (std::size_t c = 0; c < scores.true_classes.size(); ++c) {
    std::vector<std::string> row = {plain_word(scores.true_classes[c])};
    for (std::size_t k = 0; k < scores.confusion.columns; ++k)
      row.push_back(fmt::format("{}", scores.confusion.at(c, k)));
    table.add_row(std::move(row));
  }
  table.print(out);
}

}  // namespace twofold::cli
