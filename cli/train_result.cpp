#include "cli/train_result.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "cli/predictions.h"
#include "cli/progress.h"
#include "twofold/report/run_command.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

std::vector<std::vector<std::uint64_t>> confusion_rows(const train::Objective& task,
                                                       const train::Scores& scores) {
  const std::size_t classes = train::num_classes(task);
  std::vector<std::vector<std::uint64_t>> rows;
  for (std::size_t c = 0; c < classes; ++c) {
    const auto begin = scores.confusion.begin() + static_cast<std::ptrdiff_t>(c * classes);
    rows.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(classes));
  }
  return rows;
}

// The AUC compares graphs of one class with those of another: it needs both.
bool has_auc(const train::Objective& task, const train::Scores& scores) {
  if (task.kind != model::TaskKind::kBinary) return false;
  for (const auto& row : confusion_rows(task, scores))
    if (row[0] + row[1] == 0) return false;
  return true;
}

}  // namespace

std::string epochs_text(int epochs) { return fmt::format("{} epoch{}", epochs, epochs == 1 ? "" : "s"); }

ordered_json scores_json(const train::Objective& task, const train::Scores& scores) {
  const auto or_null = [](double value) {
    return std::isnan(value) ? ordered_json(nullptr) : ordered_json(value);
  };
  if (task.is_yes_no()) {
    ordered_json json = {{"loss", scores.loss},
                         {"auc", or_null(scores.auc)},
                         {"average_precision", or_null(scores.average_precision)}};
    for (std::size_t c = 0; c < task.outputs; ++c)
      json["targets"].push_back(
          {{"auc", or_null(scores.aucs[c])}, {"average_precision", or_null(scores.average_precisions[c])}});
    return json;
  }
  if (task.is_regression()) {
    ordered_json json = {
        {"loss", scores.loss}, {"mae", scores.mean_absolute_error}, {"rmse", scores.root_mean_squared_error}};
    for (std::size_t c = 0; task.outputs > 1 && c < task.outputs; ++c)
      json["targets"].push_back({{"mae", scores.absolute_errors[c]}, {"rmse", scores.squared_errors[c]}});
    return json;
  }
  ordered_json json = {{"loss", scores.loss},
                       {"accuracy", 100 * scores.accuracy},
                       {"balanced_accuracy", 100 * scores.balanced_accuracy}};
  if (task.kind == model::TaskKind::kBinary)
    json["auc"] = has_auc(task, scores) ? ordered_json(scores.auc) : ordered_json(nullptr);
  json["confusion"] = confusion_rows(task, scores);
  return json;
}

std::string scores_text(const train::Objective& task, const train::Scores& scores) {
  if (task.is_yes_no()) {
    const auto text = [](double value) { return std::isnan(value) ? "-" : fmt::format("{:.4f}", value); };
    return fmt::format("ROC AUC {}, average precision {} (means of {} targets), loss {:.4f}", text(scores.auc),
                       text(scores.average_precision), task.outputs, scores.loss);
  }
  if (task.is_regression()) {
    std::string each;
    for (std::size_t c = 0; task.outputs > 1 && c < task.outputs; ++c)
      each += fmt::format("{}{:.4g}", c == 0 ? " (" : ", ", scores.absolute_errors[c]);
    return fmt::format("mean absolute error {:.4g}{}, root mean square {:.4g}, loss {:.4f}",
                       scores.mean_absolute_error, each.empty() ? "" : each + ")",
                       scores.root_mean_squared_error, scores.loss);
  }
  std::string text = fmt::format("accuracy {:.2f} %, balanced {:.2f} %", 100 * scores.accuracy,
                                 100 * scores.balanced_accuracy);
  if (has_auc(task, scores)) text += fmt::format(", AUC {:.4f}", scores.auc);
  return text + fmt::format(", loss {:.4f}", scores.loss);
}

Baseline baseline_of(const train::Objective& task, const std::vector<std::string>& class_names,
                     const std::vector<double>& training, const std::vector<double>& scored) {
  Baseline baseline;
  if (task.is_regression()) {
    // Of several targets the mean of their errors; what is not known is left out.
    std::vector<double> means;
    double errors = 0, scored_targets = 0;
    for (std::size_t c = 0; c < task.outputs; ++c) {
      double mean = 0, known = 0, error = 0, compared = 0;
      for (std::size_t i = c; i < training.size(); i += task.outputs)
        if (!std::isnan(training[i])) {
          mean += training[i];
          ++known;
        }
      mean /= known;
      means.push_back(mean);
      for (std::size_t i = c; i < scored.size(); i += task.outputs)
        if (!std::isnan(scored[i])) {
          error += std::abs(scored[i] - mean);
          ++compared;
        }
      if (compared == 0) continue;
      errors += error / compared;
      ++scored_targets;
    }
    const double error = errors / scored_targets;
    baseline.json = {{"value", means.size() == 1 ? ordered_json(means[0]) : ordered_json(means)},
                     {"mae", error}};
    baseline.text = fmt::format("mean absolute error {:.4g}, always the training mean{}", error,
                                means.size() == 1 ? fmt::format(" {:.4g}", means[0]) : "s");
    return baseline;
  }
  if (task.is_yes_no()) {
    std::vector<double> shares;
    for (std::size_t c = 0; c < task.outputs; ++c) {
      double yes = 0, known = 0;
      for (std::size_t i = c; i < training.size(); i += task.outputs)
        if (!std::isnan(training[i])) {
          yes += training[i];
          ++known;
        }
      shares.push_back(yes / known);
    }
    std::vector<float> outputs;
    for (std::size_t i = 0; i < scored.size(); ++i) {
      // A share of 0 or 1 has no logit; this one is sure to a millionth.
      const double share = std::clamp(shares[i % task.outputs], 1e-6, 1 - 1e-6);
      outputs.push_back(static_cast<float>(std::log(share / (1 - share))));
    }
    const double loss = train::loss_and_slope(task, outputs, scored);
    baseline.json = {{"shares", shares}, {"auc", 0.5}, {"loss", loss}};
    baseline.text = fmt::format("ROC AUC 0.5000, loss {:.4f}, always the training shares of yes", loss);
    return baseline;
  }
  const auto count = static_cast<double>(scored.size());
  std::vector<std::size_t> frequency(class_names.size(), 0);
  for (const double c : training) ++frequency[static_cast<std::size_t>(c)];
  const auto most =
      static_cast<std::size_t>(std::max_element(frequency.begin(), frequency.end()) - frequency.begin());
  const auto hits = std::count(scored.begin(), scored.end(), static_cast<double>(most));
  const double accuracy = 100 * static_cast<double>(hits) / count;
  baseline.json = {{"class", class_names[most]}, {"accuracy", accuracy}};
  baseline.text = fmt::format("accuracy {:.2f} %, always class {}", accuracy, plain_word(class_names[most]));
  return baseline;
}

void say_what_is_kept(const std::string& output, std::ostream& err) {
  if (output.empty()) fmt::print(err, "twofold train: without -o FILE the model will not be kept\n");
}

std::string trained_text(const TrainedLines& lines) {
  const std::string where = lines.output.empty() ? "not kept (no -o)"
                            : lines.is_written   ? lines.output
                                                 : "not written";
  std::string text = fmt::format("model       {}, trained in {}\n", where, format_duration(lines.seconds));
  if (lines.output.empty() || !lines.is_written || !lines.has_next) return text;
  const std::string file = report::shell_word(lines.output);
  const std::string data = lines.dataset == "-" ? "DATASET" : report::shell_word(lines.dataset);
  text += fmt::format("next        twofold predict {} {}\n", file, data);
  if (!lines.explained.empty())
    text += fmt::format("            twofold explain {} {} {} -o why.svg\n", file, data, lines.explained);
  return text;
}

}  // namespace twofold::cli
