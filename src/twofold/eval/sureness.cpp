#include "twofold/eval/sureness.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/eval/mean_std.h"
#include "twofold/eval/task_file.h"
#include "twofold/model/calibration.h"

namespace twofold::eval {
namespace {

using model::Config;

constexpr double kLevels[] = {0.5, 0.8, 0.9, 0.95};
constexpr std::size_t kBins = 10;

Config distances_json(const std::vector<double>& ascending) {
  Config json = Config::array();
  for (const double level : kLevels) json.push_back(number(model::conformal_distance(ascending, level)));
  return json;
}

// One per level; null is no bound.
std::vector<double> distances_from(const record::JsonView& list, std::size_t levels) {
  std::vector<double> distances = list.numbers_or_nan();
  if (distances.size() != levels)
    list.refuse(fmt::format("{} distances", levels), fmt::format("{}", distances.size()));
  for (double& distance : distances)
    if (std::isnan(distance)) distance = std::numeric_limits<double>::infinity();
  return distances;
}

}  // namespace

Config sureness_json(const model::LabeledGraphs& validation, const model::Predictions& said) {
  const model::Calibration calibration = model::calibrate(validation, said);
  if (!calibration.is_there()) return nullptr;
  if (!calibration.temperatures.empty()) return {{"temperatures", calibration.temperatures}};
  Config json = {{"levels", kLevels}};
  if (calibration.distances.empty()) {
    json["temperature"] = calibration.temperature;
    json["misses"] = distances_json(calibration.misses);
    return json;
  }
  json["distances"] = Config::array();
  for (const std::vector<double>& ascending : calibration.distances)
    json["distances"].push_back(distances_json(ascending));
  return json;
}

void Sureness::add(std::size_t fold, const record::JsonView& kept, const model::LabeledGraphs& test,
                   const model::Predictions& said) {
  if (!kept.is_there() || test.size() == 0) return;
  const bool has_questions = kept.at("temperatures").is_there();
  const std::vector<double> levels = has_questions ? std::vector<double>() : kept.at("levels").numbers();
  if (num_runs_ == 0) {
    levels_ = levels;
    runs_.resize(levels.size());
    calibrated_.resize(kBins);
    plain_.resize(kBins);
  }
  if (levels != levels_) kept.at("levels").refuse("the levels of the runs before", "others");
  ++num_runs_;
  if (has_questions)
    add_questions(kept, test, said);
  else if (test.class_of.empty())
    add_values(fold, kept, test, said);
  else
    add_classes(fold, kept, test, said);
}

void Sureness::add_values(std::size_t fold, const record::JsonView& kept, const model::LabeledGraphs& test,
                          const model::Predictions& said) {
  const std::size_t width = test.values.size() / test.size();
  const record::JsonView lists = kept.at("distances");
  if (lists.size() != width) lists.refuse(fmt::format("{} lists", width), fmt::format("{}", lists.size()));
  std::vector<std::vector<double>> distances;
  for (std::size_t c = 0; c < width; ++c) distances.push_back(distances_from(lists.item(c), levels_.size()));
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    double inside = 0, known = 0, size = 0;
    for (std::size_t i = 0; i < test.values.size(); ++i) {
      if (std::isnan(test.values[i])) continue;
      ++known;
      inside += std::abs(said.values[i] - test.values[i]) <= distances[i % width][k];
      size += 2 * distances[i % width][k];
    }
    if (known > 0) runs_[k].push_back({fold, 100 * inside / known, size / known});
  }
}

void Sureness::add_questions(const record::JsonView& kept, const model::LabeledGraphs& test,
                             const model::Predictions& said) {
  const std::size_t width = test.values.size() / test.size();
  const std::vector<double> temperatures = kept.at("temperatures").numbers();
  if (temperatures.size() != width)
    kept.at("temperatures").refuse(fmt::format("{} numbers", width), fmt::format("{}", temperatures.size()));
  for (std::size_t i = 0; i < test.values.size(); ++i) {
    if (std::isnan(test.values[i])) continue;
    add_to(calibrated_, model::calibrated_chance(temperatures[i % width], said.values[i]), test.values[i] != 0);
    add_to(plain_, said.values[i], test.values[i] != 0);
  }
}

void Sureness::add_classes(std::size_t fold, const record::JsonView& kept, const model::LabeledGraphs& test,
                           const model::Predictions& said) {
  const double temperature = kept.at("temperature").number();
  if (temperature <= 0) kept.at("temperature").refuse("a positive number");
  const std::vector<double> misses = distances_from(kept.at("misses"), levels_.size());
  const std::size_t classes = said.scores.size() / test.size();
  if (classes == 0) return;
  std::vector<double> inside(levels_.size(), 0), sizes(levels_.size(), 0);
  for (std::size_t g = 0; g < test.size(); ++g) {
    const Span<const double> plain(said.scores.data() + g * classes, classes);
    const std::vector<double> scores = model::calibrated_scores(temperature, plain);
    for (std::size_t k = 0; k < levels_.size(); ++k)
      for (std::size_t c = 0; c < classes; ++c) {
        if (1 - scores[c] > misses[k]) continue;
        ++sizes[k];
        inside[k] += c == test.class_of[g];
      }
    const std::size_t meant = classes == 2 ? 1 : said.class_of[g];
    add_to(calibrated_, scores[meant], test.class_of[g] == meant);
    add_to(plain_, plain[meant], test.class_of[g] == meant);
  }
  const auto all = static_cast<double>(test.size());
  for (std::size_t k = 0; k < levels_.size(); ++k)
    runs_[k].push_back({fold, 100 * inside[k] / all, sizes[k] / all});
}

void Sureness::add_to(Bins& bins, double probability, bool is_right) {
  if (!(probability >= 0)) return;  // no number: the network went wrong, which its scores tell
  Bin& bin = bins[std::min(static_cast<std::size_t>(probability * kBins), kBins - 1)];
  ++bin.graphs;
  bin.said += probability;
  bin.found += is_right ? 1 : 0;
}

double Sureness::error_of(const Bins& bins) {
  double all = 0, error = 0;
  for (const Bin& bin : bins) {
    all += bin.graphs;
    error += std::abs(bin.said - bin.found);
  }
  return all > 0 ? 100 * error / all : std::numeric_limits<double>::quiet_NaN();
}

void Sureness::write(Config& result) const {
  if (num_runs_ == 0) return;
  Config coverage = Config::array();
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    // The mean of the folds, each the mean of its runs.
    std::vector<std::vector<double>> found;
    double size = 0;
    for (const LevelRun& run : runs_[k]) {
      if (run.fold >= found.size()) found.resize(run.fold + 1);
      found[run.fold].push_back(run.found);
      size += run.size / static_cast<double>(runs_[k].size());
    }
    std::vector<double> means;
    for (const std::vector<double>& of_fold : found)
      if (!of_fold.empty()) means.push_back(mean_std(of_fold).mean);
    const MeanStd spread = mean_std(means);
    coverage.push_back({{"level", 100 * levels_[k]},
                        {"found_mean", number(spread.mean)},
                        {"found_std", number(spread.std)},
                        {"size_mean", number(size)}});
  }
  if (!coverage.empty()) result["coverage"] = std::move(coverage);
  if (std::isnan(error_of(calibrated_))) return;
  Config bins = Config::array();
  for (std::size_t b = 0; b < kBins; ++b) {
    const Bin& bin = calibrated_[b];
    if (bin.graphs == 0) continue;
    bins.push_back({{"from", 100 * b / kBins},
                    {"to", 100 * (b + 1) / kBins},
                    {"graphs", bin.graphs / static_cast<double>(repeats_)},
                    {"said", 100 * bin.said / bin.graphs},
                    {"found", 100 * bin.found / bin.graphs}});
  }
  result["reliability"] = {
      {"bins", bins}, {"error", error_of(calibrated_)}, {"error_before", error_of(plain_)}};
}

}  // namespace twofold::eval
