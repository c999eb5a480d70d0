#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/predictions.h"
#include "twofold/graph/dataset.h"
#include "twofold/model/metrics.h"

namespace twofold::cli {

/// How well predictions match what the dataset says.
struct PredictionScores {
  std::size_t num_graphs = 0;

  // Classes: fractions. Balanced accuracy is the mean, over the classes that occur, of the part of each that is
  // found; the AUC is there for two classes that both occur.
  double accuracy = 0;
  double balanced_accuracy = 0;
  std::optional<double> auc;
  // What always saying one class would give: the most frequent one.
  std::string most_frequent;
  double most_frequent_accuracy = 0;
  // The model's classes, then those that only the dataset has: a row each of confusion, whose columns are the
  // model's classes.
  std::vector<std::string> true_classes;
  model::Confusion confusion;

  // Real values: the means over the targets, and each. R² is there unless all true values of a target are
  // equal.
  double mean_absolute_error = 0;
  double root_mean_squared_error = 0;
  std::optional<double> r2;
  struct Target {
    std::string name;
    std::size_t num_graphs = 0;  // whose value is known
    double mean_absolute_error = 0;
    double root_mean_squared_error = 0;
    std::optional<double> r2;
  };
  std::vector<Target> targets;

  // Questions: the means over those whose known answers differ, and each; fractions.
  struct Question {
    std::string name;
    std::size_t num_graphs = 0;  // whose answer is known
    std::size_t num_yes = 0;
    std::optional<double> auc;
    std::optional<double> average_precision;
  };
  std::vector<Question> questions;
  std::optional<double> mean_auc;
  std::optional<double> mean_average_precision;

  // With intervals: how often the truth lies within, of all that are known.
  std::optional<double> coverage;
};

/// Fills true_classes or true_values from the dataset: its classes by name, or its real targets numbered
/// `columns` (from 0). Throws InputError naming `source` if it has no such targets.
void add_truth(Predictions& predictions, const Dataset& dataset, const std::vector<std::size_t>& columns,
               const std::string& source);

/// Needs predictions with their truth, of one graph at least.
PredictionScores score_predictions(const Predictions& predictions);

nlohmann::ordered_json scores_json(const Predictions& predictions, const PredictionScores& scores);
void print_scores(const Predictions& predictions, const PredictionScores& scores, std::ostream& out);

}  // namespace twofold::cli
