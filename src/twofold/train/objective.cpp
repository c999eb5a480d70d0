#include "twofold/train/objective.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/model/metrics.h"

namespace twofold::train {
namespace {

double weight_of(const Objective& task, double target) {
  return task.class_weights.empty() ? 1 : task.class_weights[static_cast<std::size_t>(target)];
}

// The loss of one graph; slope gets task.outputs values unless null.
double loss_of(const Objective& task, const float* z, double target, double* slope) {
  if (task.kind == model::TaskKind::kBinary) {
    const double logit = z[0];
    if (slope != nullptr) slope[0] = 1 / (1 + std::exp(-logit)) - target;
    return std::max(logit, 0.0) - logit * target + std::log1p(std::exp(-std::abs(logit)));
  }
  if (task.kind == model::TaskKind::kMultiClass) {
    double largest = z[0];
    for (std::size_t c = 1; c < task.outputs; ++c) largest = std::max<double>(largest, z[c]);
    double total = 0;
    for (std::size_t c = 0; c < task.outputs; ++c) total += std::exp(z[c] - largest);
    const auto right = static_cast<std::size_t>(target);
    for (std::size_t c = 0; slope != nullptr && c < task.outputs; ++c)
      slope[c] = std::exp(z[c] - largest) / total - (c == right ? 1 : 0);
    return std::log(total) + largest - z[right];
  }
  const double difference = z[0] - (target - task.target_mean) / task.target_scale;
  if (task.loss == model::Loss::kAbsolute) {
    if (slope != nullptr) slope[0] = difference > 0 ? 1 : difference < 0 ? -1 : 0;
    return std::abs(difference);
  }
  if (slope != nullptr) slope[0] = 2 * difference;
  return difference * difference;
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

float scaled_attribute(double value, double mean, double scale) {
  const double scaled = (value - mean) / scale;
  if (!(std::abs(scaled) <= std::numeric_limits<float>::max()))
    throw InputError(fmt::format(
        "needed attributes near those of the training graphs ({} ± {}), found {}: too far for 32-bit floats",
        mean, scale, value));
  return static_cast<float>(scaled);
}

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
  if (task.kind == model::TaskKind::kRegression) {
    for (const double target : targets)
      if (!(std::abs(target) <= kLargestTarget))
        throw InputError(fmt::format("needed targets within ±{:g}, whose squares can be added, found {}",
                                     kLargestTarget, target));
    const Column scaling = column_scaling(1, [&](const auto& add) {
      for (const double& target : targets) add(Span<const double>(&target, 1));
    });
    task.target_mean = scaling.mean[0];
    task.target_scale = scaling.scale[0];
  } else if (weigh_classes) {
    task.class_weights.assign(num_classes(task), 0);
    for (const double target : targets) ++task.class_weights[static_cast<std::size_t>(target)];
    for (double& weight : task.class_weights)
      if (weight > 0) weight = count / (static_cast<double>(task.class_weights.size()) * weight);
  }
}

double loss_and_slope(const Objective& task, Span<const float> outputs, Span<const double> targets,
                      Span<float> slope) {
  TWOFOLD_CHECK(outputs.size() == targets.size() * task.outputs, "{} outputs for {} targets", outputs.size(),
                targets.size());
  double total_weight = 0;
  for (const double target : targets) total_weight += weight_of(task, target);
  if (total_weight == 0) {
    std::fill(slope.begin(), slope.end(), 0.0f);
    return 0;
  }
  double sum = 0;
  std::vector<double> one(task.outputs);
  for (std::size_t g = 0; g < targets.size(); ++g) {
    const double weight = weight_of(task, targets[g]) / total_weight;
    sum += weight *
           loss_of(task, outputs.data() + g * task.outputs, targets[g], slope.empty() ? nullptr : one.data());
    for (std::size_t c = 0; !slope.empty() && c < task.outputs; ++c)
      slope[g * task.outputs + c] = static_cast<float>(weight * one[c]);
  }
  return sum;
}

std::size_t num_classes(const Objective& task) {
  return task.kind == model::TaskKind::kRegression ? 0
         : task.kind == model::TaskKind::kBinary   ? 2
                                                   : task.outputs;
}

std::uint32_t predicted_class(const Objective& task, Span<const float> z) {
  if (task.kind == model::TaskKind::kBinary) return z[0] > 0 ? 1 : 0;
  return static_cast<std::uint32_t>(std::max_element(z.begin(), z.end()) - z.begin());
}

std::vector<double> predicted_scores(const Objective& task, Span<const float> z) {
  if (task.kind == model::TaskKind::kRegression) return {z[0] * task.target_scale + task.target_mean};
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
  const double count = static_cast<double>(targets.size());
  if (task.kind == model::TaskKind::kRegression) {
    for (std::size_t g = 0; g < targets.size(); ++g) {
      const double difference = predicted_scores(task, row(g))[0] - targets[g];
      scores.mean_absolute_error += std::abs(difference) / count;
      scores.root_mean_squared_error += difference * difference / count;
    }
    scores.root_mean_squared_error = std::sqrt(scores.root_mean_squared_error);
    return scores;
  }
  const std::size_t classes = num_classes(task);
  model::Confusion confusion(classes, classes);
  for (std::size_t g = 0; g < targets.size(); ++g)
    confusion.add(static_cast<std::size_t>(targets[g]), predicted_class(task, row(g)));
  scores.accuracy = static_cast<double>(confusion.num_right()) / count;
  scores.balanced_accuracy = model::balanced_accuracy(confusion);
  scores.confusion = std::move(confusion.counts);
  if (task.kind == model::TaskKind::kBinary) {
    std::vector<std::uint8_t> is_second;
    for (const double target : targets) is_second.push_back(target != 0 ? 1 : 0);
    scores.auc = model::roc_auc(std::vector<double>(outputs.begin(), outputs.end()), is_second);
  }
  return scores;
}

}  // namespace twofold::train
