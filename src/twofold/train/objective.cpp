#include "twofold/train/objective.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/compute/graph_loss.h"
#include "twofold/model/metrics.h"

namespace twofold::train {
namespace {

// What a graph with this row of targets counts.
double weight_of(const Objective& task, const double* target) {
  if (task.has_values()) {
    double known = 0;
    for (std::size_t c = 0; c < task.outputs; ++c) known += !std::isnan(target[c]);
    return known;
  }
  return task.class_weights.empty() ? 1 : task.class_weights[static_cast<std::size_t>(*target)];
}

constexpr double kLargestTarget = 1e150;

struct Column {
  std::vector<double> mean, scale;
};

// `visit(add)` calls add(values) for every row of values.
template <typename Visit>
Column column_scaling(std::size_t columns, const Visit& visit) {
  Column result{std::vector<double>(columns, 0), std::vector<double>(columns, 1)};
  double count = 0;
  visit([&](Span<const double> row) {
    for (std::size_t c = 0; c < columns; ++c) result.mean[c] += row[c];
    ++count;
  });
  if (count == 0) return result;
  for (double& value : result.mean) value /= count;
  std::vector<double> squares(columns, 0);
  visit([&](Span<const double> row) {
    for (std::size_t c = 0; c < columns; ++c)
      squares[c] += (row[c] - result.mean[c]) * (row[c] - result.mean[c]);
  });
  for (std::size_t c = 0; c < columns; ++c) {
    const double deviation = std::sqrt(squares[c] / count);
    // A constant column has a deviation of 0, or of rounding errors.
    if (deviation > 1e-12 * std::abs(result.mean[c])) result.scale[c] = deviation;
  }
  return result;
}

}  // namespace

FeatureScaling attribute_scaling(Span<const Graph> graphs, Span<const std::uint32_t> indices) {
  FeatureScaling scaling;
  if (indices.empty()) return scaling;
  const Graph& first = graphs[indices[0]];
  Column nodes = column_scaling(first.num_node_attributes(), [&](const auto& add) {
    for (const std::uint32_t i : indices)
      for (std::size_t v = 0; v < graphs[i].num_nodes(); ++v)
        add(graphs[i].node_attributes(static_cast<Node>(v)));
  });
  Column edges = column_scaling(first.num_edge_attributes(), [&](const auto& add) {
    for (const std::uint32_t i : indices)
      for (std::size_t e = 0; e < graphs[i].num_edges(); ++e) add(graphs[i].edge_attributes(e));
  });
  scaling.node_mean = std::move(nodes.mean);
  scaling.node_scale = std::move(nodes.scale);
  scaling.edge_mean = std::move(edges.mean);
  scaling.edge_scale = std::move(edges.scale);
  return scaling;
}

void fit_targets(Objective& task, Span<const double> targets, bool weigh_classes) {
  const auto count = static_cast<double>(targets.size());
  if (task.has_values()) {
    task.target_mean.clear();
    task.target_scale.clear();
    for (const double target : targets)
      if (std::abs(target) > kLargestTarget)
        throw InputError(fmt::format("needed targets within ±{:g}, whose squares can be added, found {}",
                                     kLargestTarget, target));
    for (std::size_t c = 0; c < task.outputs; ++c) {
      std::size_t known = 0;
      const Column scaling = column_scaling(1, [&](const auto& add) {
        for (std::size_t i = c; i < targets.size(); i += task.outputs)
          if (!std::isnan(targets[i])) {
            add(Span<const double>(&targets[i], 1));
            ++known;
          }
      });
      if (known == 0)
        throw InputError(
            fmt::format("needed a value of target {} for one training graph or more, found none", c + 1));
      task.target_mean.push_back(task.is_yes_no() ? 0 : scaling.mean[0]);
      task.target_scale.push_back(task.is_yes_no() ? 1 : scaling.scale[0]);
    }
  } else if (weigh_classes) {
    task.class_weights.assign(num_classes(task), 0);
    for (const double target : targets) ++task.class_weights[static_cast<std::size_t>(target)];
    for (double& weight : task.class_weights)
      if (weight > 0) weight = count / (static_cast<double>(task.class_weights.size()) * weight);
  }
}

Objective make_objective(const model::LearnSettings& settings, Span<const double> targets,
                         Span<const Graph> graphs, Span<const std::uint32_t> indices,
                         const pairs::FeatureLayout& features) {
  Objective task;
  task.kind = settings.model.task;
  task.outputs = static_cast<std::size_t>(settings.model.outputs);
  if (task.is_regression()) task.loss = settings.loss;
  fit_targets(task, targets, settings.class_weights);
  if (settings.standardize && !features.has_labels_only()) task.features = attribute_scaling(graphs, indices);
  task.features.divides_features = settings.standardize && features.feature_columns > 0;
  if (features.node_attributes == 0) task.features.node_mean = task.features.node_scale = {};
  if (features.edge_attributes == 0) task.features.edge_mean = task.features.edge_scale = {};
  return task;
}

double loss_and_slope(const Objective& task, Span<const float> outputs, Span<const double> targets,
                      Span<float> slope) {
  const std::size_t width = task.num_targets();
  const std::size_t count = targets.size() / width;
  std::vector<double> weights(count);
  for (std::size_t g = 0; g < count; ++g) weights[g] = weight_of(task, &targets[g * width]);
  const double total_weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (total_weight == 0) {
    std::fill(slope.begin(), slope.end(), 0.0f);
    return 0;
  }
  for (double& weight : weights) weight /= total_weight;
  // Targets as the network has them: classes, or values in its terms.
  std::vector<std::uint32_t> classes;
  std::vector<double> values;
  if (task.has_values())
    for (std::size_t i = 0; i < targets.size(); ++i)
      values.push_back((targets[i] - task.target_mean[i % width]) / task.target_scale[i % width]);
  else
    classes.assign(targets.begin(), targets.end());
  const std::vector<double> found(outputs.begin(), outputs.end());
  std::vector<double> slopes(slope.size());
  const double loss = compute::graph_loss<double>(
      task.network_loss(), count, task.outputs, found.data(),
      {classes.empty() ? nullptr : classes.data(), values.empty() ? nullptr : values.data(), weights.data()},
      slopes.empty() ? nullptr : slopes.data());
  for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = static_cast<float>(slopes[i]);
  return loss;
}

std::size_t num_classes(const Objective& task) {
  return task.has_values() ? 0 : task.kind == model::TaskKind::kBinary ? 2 : task.outputs;
}

std::uint32_t predicted_class(const Objective& task, Span<const float> z) {
  if (task.kind == model::TaskKind::kBinary) return z[0] > 0 ? 1 : 0;
  return static_cast<std::uint32_t>(std::max_element(z.begin(), z.end()) - z.begin());
}

std::vector<double> predicted_scores(const Objective& task, Span<const float> z) {
  if (task.is_regression()) {
    std::vector<double> values;
    for (std::size_t c = 0; c < z.size(); ++c)
      values.push_back(z[c] * task.target_scale[c] + task.target_mean[c]);
    return values;
  }
  if (task.is_yes_no()) {
    std::vector<double> chances;
    for (const float logit : z) chances.push_back(1 / (1 + std::exp(-static_cast<double>(logit))));
    return chances;
  }
  if (task.kind == model::TaskKind::kBinary) {
    const double p = 1 / (1 + std::exp(-static_cast<double>(z[0])));
    return {1 - p, p};
  }
  const double largest = *std::max_element(z.begin(), z.end());
  std::vector<double> scores(z.size());
  double total = 0;
  for (std::size_t c = 0; c < z.size(); ++c) total += scores[c] = std::exp(z[c] - largest);
  for (double& value : scores) value /= total;
  return scores;
}

Scores score(const Objective& task, Span<const float> outputs, Span<const double> targets) {
  Scores scores;
  scores.loss = loss_and_slope(task, outputs, targets);
  if (targets.empty()) return scores;
  const auto row = [&](std::size_t g) {
    return Span<const float>(outputs.data() + g * task.outputs, task.outputs);
  };
  if (task.is_regression()) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    double columns = 0;
    for (std::size_t c = 0; c < task.outputs; ++c) {
      double absolute = 0, squared = 0, known = 0;
      for (std::size_t i = c; i < targets.size(); i += task.outputs) known += !std::isnan(targets[i]);
      for (std::size_t g = 0; g * task.outputs < targets.size(); ++g) {
        const double target = targets[g * task.outputs + c];
        if (std::isnan(target)) continue;
        const double difference =
            outputs[g * task.outputs + c] * task.target_scale[c] + task.target_mean[c] - target;
        absolute += std::abs(difference) / known;
        squared += difference * difference / known;
      }
      scores.absolute_errors.push_back(known > 0 ? absolute : nan);
      scores.squared_errors.push_back(known > 0 ? std::sqrt(squared) : nan);
      if (known == 0) continue;
      scores.mean_absolute_error += scores.absolute_errors.back();
      scores.root_mean_squared_error += scores.squared_errors.back();
      ++columns;
    }
    scores.mean_absolute_error = columns > 0 ? scores.mean_absolute_error / columns : nan;
    scores.root_mean_squared_error = columns > 0 ? scores.root_mean_squared_error / columns : nan;
    return scores;
  }
  if (task.is_yes_no()) {
    model::LabeledGraphs truth;
    truth.graphs.resize(targets.size() / task.outputs);
    truth.values.assign(targets.begin(), targets.end());
    model::Predictions said;
    // Logits rank as their probabilities do, without equal ones at the ends.
    said.values.assign(outputs.begin(), outputs.end());
    const auto fractions = [&](model::Metric metric, double& mean, std::vector<double>& each) {
      mean = model::score(metric, truth, said) / 100;
      each = model::target_scores(metric, truth, said);
      for (double& value : each) value /= 100;
    };
    fractions(model::Metric::kRocAuc, scores.auc, scores.aucs);
    fractions(model::Metric::kAveragePrecision, scores.average_precision, scores.average_precisions);
    return scores;
  }
  const std::size_t classes = num_classes(task);
  model::Confusion confusion(classes, classes);
  for (std::size_t g = 0; g < targets.size(); ++g)
    confusion.add(static_cast<std::size_t>(targets[g]), predicted_class(task, row(g)));
  scores.accuracy = static_cast<double>(confusion.num_right()) / static_cast<double>(targets.size());
  scores.balanced_accuracy = model::balanced_accuracy(confusion);
  scores.confusion = std::move(confusion.counts);
  if (task.kind == model::TaskKind::kBinary) {
    std::vector<std::uint8_t> is_second;
    for (const double target : targets) is_second.push_back(target != 0 ? 1 : 0);
    scores.auc = model::roc_auc(std::vector<double>(outputs.begin(), outputs.end()), is_second);
  }
  return scores;
}

EpochScores epoch_scores(const Objective& task, Span<const float> outputs, Span<const double> targets) {
  if (task.has_values()) {
    const Scores scores = score(task, outputs, targets);
    return {scores.loss, task.is_yes_no() ? scores.auc : scores.mean_absolute_error};
  }
  EpochScores result;
  result.loss = loss_and_slope(task, outputs, targets);
  if (targets.empty()) return result;
  std::uint64_t right = 0;
  for (std::size_t g = 0; g < targets.size(); ++g)
    right += predicted_class(task, {outputs.data() + g * task.outputs, task.outputs}) ==
             static_cast<std::uint32_t>(targets[g]);
  result.metric = static_cast<double>(right) / static_cast<double>(targets.size());
  return result;
}

}  // namespace twofold::train
