#include "twofold/model/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "twofold/base/error.h"

namespace twofold::model {
namespace {

Span<const double> scores_of(const Predictions& said, std::size_t graph, std::size_t classes) {
  return {said.scores.data() + graph * classes, classes};
}

double cross_entropy(const LabeledGraphs& truth, const Predictions& said, double temperature) {
  const std::size_t classes = said.scores.size() / truth.size();
  double sum = 0;
  for (std::size_t g = 0; g < truth.size(); ++g) {
    const std::vector<double> scores = calibrated_scores(temperature, scores_of(said, g, classes));
    sum -= std::log(std::max(scores[truth.class_of[g]], 1e-12));
  }
  return sum;
}

// The cross-entropy is convex in 1 / temperature, so a search by thirds of the logarithm finds its minimum.
double best_temperature(const LabeledGraphs& truth, const Predictions& said) {
  double low = std::log(0.05), high = std::log(20.0);
  for (int i = 0; i < 60; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (cross_entropy(truth, said, std::exp(a)) < cross_entropy(truth, said, std::exp(b)))
      high = b;
    else
      low = a;
  }
  return std::exp((low + high) / 2);
}

Calibration calibrate_classes(const LabeledGraphs& truth, const Predictions& said) {
  Calibration calibration;
  if (!said.scores_are_probabilities) return calibration;
  const std::size_t classes = said.scores.size() / truth.size();
  calibration.temperature = best_temperature(truth, said);
  for (std::size_t g = 0; g < truth.size(); ++g)
    calibration.misses.push_back(
        1 - calibrated_scores(calibration.temperature, scores_of(said, g, classes))[truth.class_of[g]]);
  std::sort(calibration.misses.begin(), calibration.misses.end());
  return calibration;
}

// Each question as two classes, over the graphs whose answer is known.
Calibration calibrate_questions(const LabeledGraphs& truth, const Predictions& said) {
  const std::size_t width = truth.values.size() / truth.size();
  Calibration calibration;
  for (std::size_t c = 0; c < width; ++c) {
    LabeledGraphs known;
    Predictions answers;
    for (std::size_t i = c; i < truth.values.size(); i += width) {
      if (std::isnan(truth.values[i])) continue;
      known.graphs.push_back(truth.graphs[i / width]);
      known.class_of.push_back(truth.values[i] != 0 ? 1 : 0);
      answers.scores.insert(answers.scores.end(), {1 - said.values[i], said.values[i]});
    }
    calibration.temperatures.push_back(known.size() == 0 ? 1 : best_temperature(known, answers));
  }
  return calibration;
}

}  // namespace

Calibration calibrate(const LabeledGraphs& truth, const Predictions& said) {
  if (truth.size() == 0) return {};
  if (!truth.class_of.empty()) return calibrate_classes(truth, said);
  if (said.values_are_probabilities) return calibrate_questions(truth, said);
  const std::size_t width = truth.values.size() / truth.size();
  Calibration calibration;
  calibration.distances.resize(width);
  for (std::size_t i = 0; i < truth.values.size(); ++i)
    if (!std::isnan(truth.values[i]))
      calibration.distances[i % width].push_back(std::abs(said.values[i] - truth.values[i]));
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

std::vector<double> calibrated_scores(double temperature, Span<const double> scores) {
  std::vector<double> result;
  double sum = 0;
  for (const double score : scores) {
    result.push_back(std::pow(std::max(score, 1e-30), 1 / temperature));
    sum += result.back();
  }
  for (double& score : result) score /= sum;
  return result;
}

double calibrated_chance(double temperature, double chance) {
  const std::vector<double> both = {1 - chance, chance};
  return calibrated_scores(temperature, both)[1];
}

record::Json calibration_json(const Calibration& calibration) {
  if (!calibration.distances.empty()) return {{"distances", calibration.distances}};
  if (!calibration.temperatures.empty()) return {{"temperatures", calibration.temperatures}};
  return {{"temperature", calibration.temperature}, {"misses", calibration.misses}};
}

Calibration calibration_from(const record::JsonView& fields, std::size_t num_values) {
  Calibration calibration;
  if (!fields.is_there()) return calibration;
  const auto ascending = [](const record::JsonView& list) {
    std::vector<double> values = list.numbers();
    if (values.empty() || values.front() < 0 || !std::is_sorted(values.begin(), values.end()))
      list.refuse("ascending distances", "others");
    return values;
  };
  if (num_values == 0) {
    calibration.temperature = fields.at("temperature").number();
    if (calibration.temperature <= 0) fields.at("temperature").refuse("a positive number");
    calibration.misses = ascending(fields.at("misses"));
    return calibration;
  }
  if (const record::JsonView each = fields.at("temperatures"); each.is_there()) {
    calibration.temperatures = each.numbers();
    if (calibration.temperatures.size() != num_values ||
        std::any_of(calibration.temperatures.begin(), calibration.temperatures.end(),
                    [](double temperature) { return !(temperature > 0); }))
      each.refuse(fmt::format("{} positive numbers", num_values), "others");
    return calibration;
  }
  const record::JsonView lists = fields.at("distances");
  if (lists.size() != num_values)
    lists.refuse(fmt::format("{} lists", num_values), std::to_string(lists.size()));
  for (std::size_t c = 0; c < lists.size(); ++c) calibration.distances.push_back(ascending(lists.item(c)));
  return calibration;
}

}  // namespace twofold::model
