#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/model/learn_settings.h"
#include "twofold/model/model_options.h"
#include "twofold/pairs/pair_features.h"

namespace twofold::train {

using pairs::FeatureScaling;

/// What is learnt from the targets: of each graph the index of its class, or values, NaN where one is not
/// known.
struct Objective {
  model::TaskKind kind = model::TaskKind::kBinary;
  std::size_t outputs = 1;
  model::Loss loss = model::Loss::kCrossEntropy;
  /// Empty, or how much a graph of each class counts.
  std::vector<double> class_weights;
  /// One per output of a task with values: the network gives (value - target_mean) / target_scale, and losses
  /// are in those terms. Questions (TaskKind::kYesNo) have means of 0 and scales of 1.
  std::vector<double> target_mean;
  std::vector<double> target_scale;
  FeatureScaling features;

  bool is_regression() const { return kind == model::TaskKind::kRegression; }
  bool is_yes_no() const { return kind == model::TaskKind::kYesNo; }
  /// Targets are numbers of which some may not be known, not the index of a class.
  bool has_values() const { return is_regression() || is_yes_no(); }
  /// Of the network's outputs.
  model::Loss network_loss() const {
    if (is_yes_no()) return model::Loss::kLogistic;
    if (!is_regression()) return model::Loss::kCrossEntropy;
    return loss == model::Loss::kAbsolute ? model::Loss::kAbsolute : model::Loss::kSquared;
  }
  /// Numbers per graph in lists of targets.
  std::size_t num_targets() const { return has_values() ? outputs : 1; }
};

/// Mean and deviation (1 where it is 0) of the attributes of the graphs with these numbers.
FeatureScaling attribute_scaling(Span<const Graph> graphs, Span<const std::uint32_t> indices);

/// Takes from the training graphs' targets what a task needs: means and deviations (regression), and, if
/// `weigh_classes`, class weights by inverse frequency (graphs / (classes * graphs of the class); 0 for a class
/// that does not occur). Throws InputError for a real target beyond ±1e150 and for one that is not known of any
/// graph.
void fit_targets(Objective& task, Span<const double> training_targets, bool weigh_classes);

/// All that a network with these settings, whose task is set, needs to know of the training graphs: `targets`
/// are theirs, `indices` their numbers among `graphs`. Throws as fit_targets.
Objective make_objective(const model::LearnSettings& settings, Span<const double> targets,
                         Span<const Graph> graphs, Span<const std::uint32_t> indices,
                         const pairs::FeatureLayout& features);

/// The loss of a batch, the mean over its graphs weighted by their class (real values: over all that are
/// known), and (unless `slope` is empty) its gradient by the outputs. `outputs` has a row of task.outputs
/// values per graph, `targets` one of task.num_targets(). Summed in double, in order. No graphs give 0. The
/// result is not finite if an output is not.
double loss_and_slope(const Objective& task, Span<const float> outputs, Span<const double> targets,
                      Span<float> slope = {});

/// How well outputs match targets.
struct Scores {
  double loss = 0;
  // Classification; fractions. confusion[true * classes + predicted].
  double accuracy = 0;
  double balanced_accuracy = 0;
  // For two classes and for questions (else 0); NaN, not defined, where all targets are of one.
  double auc = 0;
  std::vector<std::uint64_t> confusion;
  // Regression, in terms of the targets as given: means over the targets, and each; NaN where none is known.
  double mean_absolute_error = 0;
  double root_mean_squared_error = 0;
  std::vector<double> absolute_errors;
  std::vector<double> squared_errors;  // their roots
  // Questions: `auc` is the mean of those that are defined, as this is; fractions.
  double average_precision = 0;
  std::vector<double> aucs;
  std::vector<double> average_precisions;
};

/// Balanced accuracy is the mean, over the classes that occur, of the part of each that is found. The AUC is
/// the chance that a graph of the second class gets more than one of the first (ties count half). O(n log n).
Scores score(const Objective& task, Span<const float> outputs, Span<const double> targets);

/// Of all scores those that a training goes by.
struct EpochScores {
  double loss = 0;
  /// Accuracy, the mean absolute error of real values, or the AUC of questions.
  double metric = 0;
};

/// As `score`, in linear time for classes.
EpochScores epoch_scores(const Objective& task, Span<const float> outputs, Span<const double> targets);

/// The class that a row of outputs names: binary the second if the logit is positive, else the largest (the
/// first of several).
std::uint32_t predicted_class(const Objective& task, Span<const float> outputs);
/// One probability per class (classification), the values (regression), or the probability of each yes.
std::vector<double> predicted_scores(const Objective& task, Span<const float> outputs);

std::size_t num_classes(const Objective& task);

}  // namespace twofold::train
