#include "cli/command_predict.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "cli/dataset_input.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/prediction_scores.h"
#include "cli/predictions.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/graph/checksum.h"
#include "twofold/io/dataset_file.h"
#include "twofold/train/trained_model.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

// A kernel takes any graph: colors of labels that no training graph has agree with nothing.
std::string unknown_to(const std::vector<Label>& known, const Graph& g) {
  if (g.num_nodes() == 0) return "";
  if (known.empty() && g.has_node_labels()) return "node labels";
  if (!known.empty() && !g.has_node_labels()) return "nodes without labels";
  for (const Label label : g.node_labels())
    if (!std::binary_search(known.begin(), known.end(), label)) return fmt::format("node label {}", label);
  return "";
}

// What follows from the errors on held-out graphs.
void add_intervals(Predictions& predictions, const train::TrainedModel& model, const PredictOptions& options) {
  if (!model.network || !model.network->calibration.is_there())
    throw InputError(
        fmt::format("{}: --interval needed a network with the errors of held-out graphs, found {} (train holds "
                    "out --validation)",
                    options.model, model.network ? "none" : "a kernel model"));
  const model::Calibration& calibration = model.network->calibration;
  predictions.level = options.interval;
  const bool is_class = predictions.has_classes();
  std::vector<double> distances;
  if (is_class) distances = {model::conformal_distance(calibration.misses, options.interval)};
  for (const std::vector<double>& of_value : calibration.distances)
    distances.push_back(model::conformal_distance(of_value, options.interval));
  for (Prediction& one : predictions.graphs) {
    if (is_class) {
      one.scores = model::calibrated_scores(calibration.temperature, one.scores);
      for (std::uint32_t c = 0; c < one.scores.size(); ++c)
        if (1 - one.scores[c] <= distances[0]) one.class_set.push_back(c);
      continue;
    }
    for (std::size_t c = 0; predictions.are_probabilities && c < one.scores.size(); ++c)
      one.scores[c] = model::calibrated_chance(calibration.temperatures.at(c), one.scores[c]);
    for (std::size_t c = 0; !predictions.are_probabilities && c < one.scores.size(); ++c)
      one.interval.insert(one.interval.end(), {one.scores[c] - distances[c], one.scores[c] + distances[c]});
  }
}

Predictions predictions_of(const train::TrainedModel& model, const Dataset& dataset,
                           const PredictOptions& options) {
  const model::Predictions said =
      train::predict(model, dataset, options.dataset, options.threads, options.max_memory);
  Predictions predictions;
  predictions.classes = train::class_names(model);
  if (model.network) predictions.values = model.network->target_names;
  predictions.are_probabilities = said.values_are_probabilities;
  const std::vector<double>& scores = predictions.has_classes() ? said.scores : said.values;
  const std::size_t width = predictions.has_classes() ? predictions.classes.size() : predictions.values.size();
  const std::vector<Label> known = model.kernel ? model.kernel->node_labels() : std::vector<Label>();
  if (model.network) predictions.items = train::asked_items(*model.network, dataset, options.dataset);
  const std::size_t count = predictions.items.empty() ? dataset.graphs.size() : predictions.items.size();
  for (std::size_t g = 0; g < count; ++g) {
    Prediction one;
    const auto row = scores.begin() + static_cast<std::ptrdiff_t>(g * width);
    one.scores.assign(row, row + static_cast<std::ptrdiff_t>(width));
    if (predictions.has_classes()) one.class_index = said.class_of[g];
    if (!said.spreads.empty()) {
      const std::size_t spreads = predictions.has_classes() ? 1 : width;
      const auto first = said.spreads.begin() + static_cast<std::ptrdiff_t>(g * spreads);
      one.spread.assign(first, first + static_cast<std::ptrdiff_t>(spreads));
    }
    if (model.kernel) one.unknown = unknown_to(known, dataset.graphs[g]);
    predictions.graphs.push_back(std::move(one));
  }
  return predictions;
}

void warn_of_unknown(const Predictions& predictions, const std::string& source, std::ostream& err) {
  std::size_t first = 0, count = 0;
  for (std::size_t g = predictions.graphs.size(); g-- > 0;)
    if (!predictions.graphs[g].unknown.empty()) {
      first = g;
      ++count;
    }
  if (count == 0) return;
  fmt::print(err, "{}: warning: graph {}: the training data had no {}", source, first + 1,
             predictions.graphs[first].unknown);
  if (count > 1) fmt::print(err, "; {} graphs have something unknown to the model", count);
  fmt::print(err, "\n");
}

// Whether these are the graphs that the network was trained on, by the checksum in its file.
bool has_seen(const train::Network& network, const Dataset& dataset) {
  const ordered_json training = ordered_json::parse(network.training, nullptr, false);
  if (!training.is_object() || !training.contains("dataset") || !training["dataset"].is_object()) return false;
  return training["dataset"].value("checksum", ordered_json()) == checksum(dataset);
}

// `120 of class 0, 108 of class 1`, the most frequent first.
std::string class_counts(const Predictions& predictions) {
  constexpr std::size_t kShown = 6;
  std::vector<std::size_t> count(predictions.classes.size(), 0), order(predictions.classes.size());
  for (const Prediction& one : predictions.graphs) ++count[one.class_index.value()];
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kShown); ++i)
    text += fmt::format("{}{} of class {}", i == 0 ? "" : ", ", count[order[i]],
                        plain_word(predictions.classes[order[i]]));
  return text + (order.size() > kShown ? ", …" : "");
}

}  // namespace

int run_predict(const PredictOptions& options, std::ostream& out, std::ostream& err) {
  const PredictionFormat format =
      options.output.empty() ? PredictionFormat::kText : prediction_format(options.output);
  require_output_apart(options.output, {options.model, input_of_dataset(options.dataset)});
  std::optional<AtomicFile> file;
  if (!options.output.empty()) file.emplace(options.output);
  const train::TrainedModel model = train::read_model(options.model);
  io::MoleculeOptions molecules = options.molecules;
  molecules.skip_unlabeled = options.score && !train::class_names(model).empty();
  const Dataset dataset =
      read_input_for(model, options.dataset, molecules, options.threads, options.quiet, err);
  Predictions predictions = predictions_of(model, dataset, options);
  predictions.ids = dataset.ids;
  predictions.smiles = dataset.smiles;
  if (options.interval > 0) add_intervals(predictions, model, options);
  std::optional<PredictionScores> scores;
  if (options.score) {
    if (dataset.graphs.empty())
      throw InputError(fmt::format("{}: --score needed graphs, found none", options.dataset));
    add_truth(predictions, dataset, model.network ? model.network->target_columns : std::vector<std::size_t>(),
              options.dataset);
    scores = score_predictions(predictions);
  }
  if (!options.quiet) {
    warn_of_unknown(predictions, options.dataset, err);
    if (scores && model.network && has_seen(*model.network, dataset))
      fmt::print(err, "{}: these are the graphs the model was trained on; on new graphs it may be worse\n",
                 options.dataset);
  }
  if (file) {
    file->write(format_predictions(predictions, format));
    file->commit();
  }
  if (options.json) {
    ordered_json json = predictions_json(predictions);
    if (scores) json["score"] = scores_json(predictions, *scores);
    out << json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
  } else if (scores) {
    print_scores(predictions, *scores, out);
  } else if (file) {
    fmt::print(out, "{}: {} {}", options.output, predictions.graphs.size(), predictions.what());
    if (predictions.has_classes() && !predictions.graphs.empty())
      fmt::print(out, ", {}", class_counts(predictions));
    fmt::print(out, "\n");
  } else {
    out << format_predictions(predictions, PredictionFormat::kText);
  }
  return 0;
}

}  // namespace twofold::cli
