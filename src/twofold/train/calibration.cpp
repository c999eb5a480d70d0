#include "twofold/train/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "twofold/base/error.h"

namespace twofold::train {
namespace {

double cross_entropy(const Objective& task, Span<const float> outputs, Span<const double> targets,
                     double temperature) {
  Calibration tried;
  tried.temperature = temperature;
  const std::vector<float> scaled = calibrated_outputs(task, tried, outputs);
  double sum = 0;
  for (std::size_t g = 0; g < targets.size(); ++g) {
    const auto scores = predicted_scores(task, {scaled.data() + g * task.outputs, task.outputs});
    sum -= std::log(std::max(scores[static_cast<std::size_t>(targets[g])], 1e-12));
  }
  return sum;
}

// The cross-entropy is convex in 1 / temperature, so a search by thirds of the logarithm finds its minimum.
double best_temperature(const Objective& task, Span<const float> outputs, Span<const double> targets) {
  double low = std::log(0.05), high = std::log(20.0);
  for (int i = 0; i < 60; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (cross_entropy(task, outputs, targets, std::exp(a)) < cross_entropy(task, outputs, targets, std::exp(b)))
      high = b;
    else
      low = a;
  }
  return std::exp((low + high) / 2);
}

}  // namespace

Calibration calibrate(const Objective& task, Span<const float> outputs, Span<const double> targets) {
  Calibration calibration;
  const std::size_t width = task.num_targets();
  const std::size_t graphs = targets.size() / width;
  if (graphs == 0) return calibration;
  if (!task.is_regression()) {
    calibration.temperature = best_temperature(task, outputs, targets);
    const std::vector<float> scaled = calibrated_outputs(task, calibration, outputs);
    for (std::size_t g = 0; g < graphs; ++g) {
      const auto scores = predicted_scores(task, {scaled.data() + g * task.outputs, task.outputs});
      calibration.misses.push_back(1 - scores[static_cast<std::size_t>(targets[g])]);
    }
    std::sort(calibration.misses.begin(), calibration.misses.end());
    return calibration;
  }
  calibration.distances.resize(width);
  for (std::size_t g = 0; g < graphs; ++g) {
    const auto values = predicted_scores(task, {outputs.data() + g * task.outputs, task.outputs});
    for (std::size_t c = 0; c < width; ++c)
      if (const double target = targets[g * width + c]; !std::isnan(target))
        calibration.distances[c].push_back(std::abs(values[c] - target));
  }
  for (std::vector<double>& distances : calibration.distances) {
    if (distances.empty()) return {};
    std::sort(distances.begin(), distances.end());
  }
  return calibration;
}

double conformal_distance(Span<const double> ascending, double level) {
  // Levels such as 0.9 have no exact double: 0.9 * 10 is to be 9.
  const double rank = std::ceil(static_cast<double>(ascending.size() + 1) * level - 1e-9);
  if (rank > static_cast<double>(ascending.size())) return std::numeric_limits<double>::infinity();
  return ascending[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::vector<float> calibrated_outputs(const Objective& task, const Calibration& calibration,
                                      Span<const float> outputs) {
  std::vector<float> scaled(outputs.begin(), outputs.end());
  if (task.is_regression() || calibration.temperature <= 0) return scaled;
  for (float& output : scaled) output = static_cast<float>(output / calibration.temperature);
  return scaled;
}

std::vector<double> calibrated_scores(const Calibration& calibration, Span<const double> scores) {
  std::vector<double> result;
  double sum = 0;
  for (const double score : scores) {
    result.push_back(std::pow(std::max(score, 1e-30), 1 / calibration.temperature));
    sum += result.back();
  }
  for (double& score : result) score /= sum;
  return result;
}

record::Json calibration_json(const Calibration& calibration) {
  if (!calibration.distances.empty()) return {{"distances", calibration.distances}};
  return {{"temperature", calibration.temperature}, {"misses", calibration.misses}};
}

Calibration calibration_from(const record::JsonView& fields, const Objective& task) {
  Calibration calibration;
  if (!fields.is_there()) return calibration;
  const auto ascending = [](const record::JsonView& list) {
    std::vector<double> values = list.numbers();
    if (values.empty() || values.front() < 0 || !std::is_sorted(values.begin(), values.end()))
      list.refuse("ascending distances", "others");
    return values;
  };
  if (!task.is_regression()) {
    calibration.temperature = fields.at("temperature").number();
    if (calibration.temperature <= 0) fields.at("temperature").refuse("a positive number");
    calibration.misses = ascending(fields.at("misses"));
    return calibration;
  }
  const record::JsonView lists = fields.at("distances");
  if (lists.size() != task.outputs)
    lists.refuse(fmt::format("{} lists", task.outputs), std::to_string(lists.size()));
  for (std::size_t c = 0; c < lists.size(); ++c) calibration.distances.push_back(ascending(lists.item(c)));
  return calibration;
}

}  // namespace twofold::train
