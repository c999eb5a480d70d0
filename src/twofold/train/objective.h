#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/model/model_options.h"
#include "twofold/model/train_options.h"

namespace twofold::train {

/// Means and scales of attributes over the training graphs: a network reads (value - mean) / scale. Empty
/// vectors leave values as they are.
struct FeatureScaling {
  std::vector<double> node_mean;
  std::vector<double> node_scale;
  std::vector<double> edge_mean;
  std::vector<double> edge_scale;
};

/// What is learnt from the targets, one number a graph: the index of its class, or a real value.
struct Objective {
  model::TaskKind kind = model::TaskKind::kBinary;
  std::size_t outputs = 1;
  model::Loss loss = model::Loss::kCrossEntropy;
  /// Empty, or how much a graph of each class counts.
  std::vector<double> class_weights;
  /// Regression: the network gives (value - target_mean) / target_scale, and losses are in those terms.
  double target_mean = 0;
  double target_scale = 1;
  FeatureScaling features;
};

/// (value - mean) / scale. Throws InputError where that is beyond 32-bit floats: a value very far from those of
/// the training graphs.
float scaled_attribute(double value, double mean, double scale);

/// Mean and deviation (1 where it is 0) of the attributes of the graphs with these numbers.
FeatureScaling attribute_scaling(Span<const Graph> graphs, Span<const std::uint32_t> indices);

/// Takes from the training graphs' targets what a task needs: mean and deviation (regression), and, if
/// `weigh_classes`, class weights by inverse frequency (graphs / (classes * graphs of the class); 0 for a class
/// that does not occur). Throws InputError for a real target beyond ±1e150.
void fit_targets(Objective& task, Span<const double> training_targets, bool weigh_classes);

/// The loss of a batch, the mean over its graphs weighted by their class, and (unless `slope` is empty) its
/// gradient by the outputs. `outputs` has a row of task.outputs values a target. Summed in double, in order.
/// No graphs give 0. The result is not finite if an output is not.
double loss_and_slope(const Objective& task, Span<const float> outputs, Span<const double> targets,
                      Span<float> slope = {});

/// How well outputs match targets.
struct Scores {
  double loss = 0;
  // Classification; fractions. confusion[true * classes + predicted].
  double accuracy = 0;
  double balanced_accuracy = 0;
  double auc = 0;  // for two classes only (else 0); NaN, not defined, where all targets are of one
  std::vector<std::uint64_t> confusion;
  // Regression, in terms of the targets as given.
  double mean_absolute_error = 0;
  double root_mean_squared_error = 0;
};

/// Balanced accuracy is the mean, over the classes that occur, of the part of each that is found. The AUC is
/// the chance that a graph of the second class gets more than one of the first (ties count half). O(n log n).
Scores score(const Objective& task, Span<const float> outputs, Span<const double> targets);

/// The class that a row of outputs names: binary the second if the logit is positive, else the largest (the
/// first of several).
std::uint32_t predicted_class(const Objective& task, Span<const float> outputs);
/// A probability a class (classification), or the value (regression).
std::vector<double> predicted_scores(const Objective& task, Span<const float> outputs);

std::size_t num_classes(const Objective& task);

}  // namespace twofold::train
