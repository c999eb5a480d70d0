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
#include "twofold/graph/graph_builder.h"
#include "twofold/io/dataset_blocks.h"
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

// What is said of all predictions together.
class PredictionTally {
 public:
  void add(const Predictions& predictions) {
    classes_ = predictions.classes;
    count_.resize(classes_.size(), 0);
    for (std::size_t g = 0; g < predictions.graphs.size(); ++g, ++predicted_) {
      const Prediction& one = predictions.graphs[g];
      if (one.class_index) ++count_[*one.class_index];
      if (!one.unknown.empty() && unknown_++ == 0) {
        first_unknown_ = predictions.first + g;
        unknown_what_ = one.unknown;
      }
    }
    what_ = predictions.what();
  }

  void warn_of_unknown(const std::string& source, std::ostream& err) const {
    if (unknown_ == 0) return;
    fmt::print(err, "{}: warning: graph {}: the training data had no {}", source, first_unknown_ + 1,
               unknown_what_);
    if (unknown_ > 1) fmt::print(err, "; {} graphs have something unknown to the model", unknown_);
    fmt::print(err, "\n");
  }

  // `p.csv: 228 graphs, 120 of class 0, 108 of class 1`, the most frequent first.
  void print(const std::string& output, std::ostream& out) const {
    fmt::print(out, "{}: {} {}", output, predicted_, what_);
    constexpr std::size_t kShown = 6;
    std::vector<std::size_t> order(classes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return count_[a] > count_[b]; });
    if (predicted_ == 0) order.clear();
    for (std::size_t i = 0; i < std::min(order.size(), kShown); ++i)
      fmt::print(out, ", {} of class {}", count_[order[i]], plain_word(classes_[order[i]]));
    fmt::print(out, "{}\n", order.size() > kShown ? ", …" : "");
  }

 private:
  std::vector<std::string> classes_;
  std::vector<std::size_t> count_;
  std::size_t predicted_ = 0, unknown_ = 0, first_unknown_ = 0;
  std::string unknown_what_;
  const char* what_ = "graphs";
};

// Whether a graph of these blocks has what a kernel does not know: as unknown_to would say of one of them.
bool some_have_unknown(const train::TrainedModel& model, const io::DatasetBlocks& blocks,
                       const std::string& source) {
  if (!model.kernel) return false;
  const std::vector<Label> known = model.kernel->node_labels();
  if (blocks.frame().has_bare_nodes && !known.empty()) return true;
  Dataset probe = blocks.empty_dataset();
  std::vector<Label> labels(blocks.frame().node_labels.begin(), blocks.frame().node_labels.end());
  for (const auto& [label, name] : probe.node_label_names) labels.push_back(label);
  if (labels.empty()) return false;
  GraphBuilder builder(labels.size());
  builder.set_node_labels(labels);
  probe.graphs.push_back(std::move(builder).build());
  train::number_labels_for(model, probe, source);
  return !unknown_to(known, probe.graphs[0]).empty();
}

// A dataset that is larger than the memory, block by block.
void predict_blocks(const train::TrainedModel& model, const PredictOptions& options, PredictionFormat format,
                    AtomicFile* file, std::ostream& out, std::ostream& err) {
  PredictionTally tally;
  {
    BlockInput input(model, options.dataset, options.threads, options.max_memory, options.quiet, err);
    const bool has_unknown = some_have_unknown(model, input.blocks(), options.dataset);
    Dataset block;
    while (input.next(block)) {
      PredictOptions of_block = options;
      of_block.dataset = input.source();
      Predictions predictions = predictions_of(model, block, of_block);
      predictions.first = input.first();
      predictions.some_have_unknown = has_unknown;
      predictions.ids = std::move(block.ids);
      predictions.smiles = std::move(block.smiles);
      if (options.interval > 0) add_intervals(predictions, model, options);
      tally.add(predictions);
      const std::string text = format_predictions(predictions, format);
      if (file != nullptr)
        file->write(text);
      else
        out << text;
    }
  }
  if (!options.quiet) tally.warn_of_unknown(options.dataset, err);
  if (file == nullptr) return;
  file->commit();
  tally.print(options.output, out);
}

// Whether these are the graphs that the network was trained on, by the checksum in its file.
bool has_seen(const train::Network& network, const Dataset& dataset) {
  const ordered_json training = ordered_json::parse(network.training, nullptr, false);
  if (!training.is_object() || !training.contains("dataset") || !training["dataset"].is_object()) return false;
  return training["dataset"].value("checksum", ordered_json()) == checksum(dataset);
}

}  // namespace

int run_predict(const PredictOptions& options, std::ostream& out, std::ostream& err) {
  const PredictionFormat format =
      options.output.empty() ? PredictionFormat::kText : prediction_format(options.output);
  require_output_apart(options.output, {options.model, input_of_dataset(options.dataset)});
  std::optional<AtomicFile> file;
  if (!options.output.empty()) file.emplace(options.output);
  const train::TrainedModel model = train::read_model(options.model);
  // Scores and one JSON object are of all graphs together.
  const bool is_of_graphs = !model.network || model.network->settings.model.about == TargetOf::kGraphs;
  if (is_of_graphs && !options.score && !options.json && format != PredictionFormat::kJson &&
      !options.molecules.skip_invalid && io::DatasetBlocks::suits(options.dataset, options.max_memory)) {
    predict_blocks(model, options, format, file ? &*file : nullptr, out, err);
    return 0;
  }
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
  PredictionTally tally;
  tally.add(predictions);
  if (!options.quiet) {
    tally.warn_of_unknown(options.dataset, err);
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
    tally.print(options.output, out);
  } else {
    out << format_predictions(predictions, PredictionFormat::kText);
  }
  return 0;
}

}  // namespace twofold::cli
