#include "twofold/train/trained_model.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/train/ensemble.h"
#include "twofold/train/training.h"

namespace twofold::train {
namespace {

const InputLayout& fitting_layout(const Network& network, const Dataset& dataset, const std::string& source) {
  require_fitting(dataset.graphs, network.layout, network.settings.model.model, source);
  return network.layout;
}

}  // namespace

std::vector<Item> asked_items(const Network& network, const Dataset& dataset, const std::string& source) {
  switch (network.settings.model.about) {
    case TargetOf::kGraphs:
      return {};
    case TargetOf::kNodes: {
      std::vector<Item> nodes = all_nodes(dataset.graphs);
      if (nodes.empty()) throw InputError(fmt::format("{}: needed graphs with nodes, found none", source));
      return nodes;
    }
    case TargetOf::kLinks:
      break;
  }
  if (dataset.pair_targets.empty())
    throw InputError(
        fmt::format("{}: needed pairs of nodes to say something about (\"pair_targets\"; null where "
                    "nothing is known), found none",
                    source));
  return dataset.pair_targets.items;
}

TrainedModel read_model(const std::string& path) {
  // The two arguments are easily exchanged.
  std::error_code failed;
  if (path == "TRIANGLE" || std::filesystem::is_directory(path, failed))
    throw UsageError(fmt::format(
        "needed a model file first and the dataset after it, found the dataset {} first", in_quotes(path)));
  const std::string bytes = read_file(path);
  TrainedModel model;
  model.path = path;
  if (model_format(bytes, path) == kNetworkFormat)
    model.network = decode_network(bytes, path);
  else
    model.kernel = svm::KernelModel::decode(bytes, path);
  return model;
}

const InputNames& input_names(const TrainedModel& model) {
  return model.network ? model.network->names : model.kernel->names;
}

void number_labels_for(const TrainedModel& model, Dataset& dataset, const std::string& source) {
  const InputNames& known = input_names(model);
  const auto require_same = [&](const LabelNames& needed, const LabelNames& found, bool has_labels,
                                const char* what) {
    if (needed.empty() == found.empty() || !has_labels) return;
    throw InputError(fmt::format("{}: the graphs do not fit the model: needed {} labels that are {}, found {}",
                                 source, what, needed.empty() ? "numbers" : "texts",
                                 needed.empty() ? "texts" : "numbers"));
  };
  bool has_nodes = false, has_edges = false;
  for (const Graph& g : dataset.graphs) {
    has_nodes = has_nodes || g.has_node_labels();
    has_edges = has_edges || g.has_edge_labels();
  }
  require_same(known.nodes, dataset.node_label_names, has_nodes, "node");
  require_same(known.edges, dataset.edge_label_names, has_edges, "edge");
  dataset.number_labels_as(known.nodes, known.edges);
}

std::vector<UnknownLabel> unknown_labels(const TrainedModel& model, const Dataset& dataset) {
  std::vector<UnknownLabel> unknown;
  if (!model.network) return unknown;
  const InputLayout& layout = model.network->layout;
  const auto first_unknown = [](Span<const Label> labels, const std::vector<Label>& known) -> const Label* {
    for (const Label& label : labels)
      if (!known.empty() && !std::binary_search(known.begin(), known.end(), label)) return &label;
    return nullptr;
  };
  for (std::size_t i = 0; i < dataset.graphs.size(); ++i) {
    const Graph& g = dataset.graphs[i];
    if (const Label* node = first_unknown(g.node_labels(), layout.known_labels()); node && !layout.degrees)
      unknown.push_back({i, "the node label " + label_text(dataset.node_label_names, *node)});
    else if (const Label* edge = first_unknown(g.edge_labels(), layout.features.edge_labels))
      unknown.push_back({i, "the edge label " + label_text(dataset.edge_label_names, *edge)});
  }
  return unknown;
}

const std::vector<std::string>& class_names(const TrainedModel& model) {
  return model.network ? model.network->class_names : model.kernel->class_names();
}

const Dataset& numbered_for(const TrainedModel& model, const Dataset& dataset, const std::string& source,
                            std::optional<Dataset>& copy) {
  // Texts have other numbers in other data: those of the training data count.
  const InputNames& names = input_names(model);
  if (numbers_as_in(names.nodes, dataset.node_label_names).empty() &&
      numbers_as_in(names.edges, dataset.edge_label_names).empty())
    return dataset;
  copy = dataset;
  number_labels_for(model, *copy, source);
  return *copy;
}

model::Predictions predict(const TrainedModel& model, const Dataset& given, const std::string& source,
                           int threads, std::uint64_t max_memory) {
  std::optional<Dataset> copy;
  const Dataset& dataset = numbered_for(model, given, source, copy);
  model::Predictions predictions;
  const auto add = [](std::vector<double>& to, const std::vector<double>& values) {
    to.insert(to.end(), values.begin(), values.end());
  };
  if (!model.network) {
    for (const Graph& g : dataset.graphs) {
      check_interrupt();
      const svm::Prediction said = model.kernel->predict(g);
      predictions.class_of.push_back(said.class_index);
      add(predictions.scores, svm::class_scores(said.decisions, model.kernel->class_names().size()));
    }
    return predictions;
  }
  const Objective& task = model.network->task;
  predictions.scores_are_probabilities = true;
  predictions.values_are_probabilities = task.is_yes_no();
  const std::vector<std::vector<float>> members =
      NetworkOnData(*model.network, dataset, source, threads, max_memory).member_outputs();
  const std::vector<float> outputs = joined_outputs(task, members);
  if (members.size() > 1) predictions.spreads = member_spreads(task, members);
  for (std::size_t g = 0; (g + 1) * task.outputs <= outputs.size(); ++g) {
    const Span<const float> row(outputs.data() + g * task.outputs, task.outputs);
    if (!task.has_values()) predictions.class_of.push_back(predicted_class(task, row));
    add(task.has_values() ? predictions.values : predictions.scores, predicted_scores(task, row));
  }
  return predictions;
}

NetworkOnData::NetworkOnData(const Network& network, const Dataset& dataset, const std::string& source,
                             int threads, std::uint64_t max_memory)
    : network_(network),
      data_(dataset.graphs, network.settings.model, fitting_layout(network, dataset, source),
            EncodeLimits{max_memory, threads}) {
  data_.items = asked_items(network, dataset, source);
  model::EngineOptions options;
  options.threads = threads;
  options.is_for_one_pass = true;
  engine_ = make_engine(data_, network.settings.model, network.task, options);
  limits_.graphs = 256;
  // How nodes and pairs are put together changes nothing but rounding, so what is left counts.
  std::uint64_t memory = whole_memory_limit(max_memory);
  if (!data_.items.empty()) memory = std::min(memory, resolve_memory_limit(max_memory));
  limits_.rows = rows_for_memory(network.settings.model, dense_columns(data_), memory / 4);
  all_.resize(data_.num_items());
  std::iota(all_.begin(), all_.end(), 0u);
}

std::vector<std::vector<float>> NetworkOnData::member_outputs() {
  std::vector<std::vector<float>> members;
  for (std::size_t m = 0; m < network_.num_members(); ++m)
    members.push_back(all_outputs(*engine_, data_, all_, network_.task.outputs, limits_, network_.member(m)));
  return members;
}

std::vector<float> NetworkOnData::outputs() { return joined_outputs(network_.task, member_outputs()); }

std::vector<float> NetworkOnData::vectors() {
  const std::size_t width = engine_->vector_width(), columns = vector_width();
  std::vector<float> vectors(all_.size() * columns);
  for (std::size_t m = 0; m < network_.num_members(); ++m) {
    std::size_t done = 0;
    for (const Batch& batch : make_batches(data_, all_, limits_)) {
      check_interrupt();
      std::vector<float> part(batch.graphs.size() * width);
      engine_->graph_vectors(batch, network_.member(m), {part.data(), part.size()});
      for (std::size_t g = 0; g < batch.graphs.size(); ++g)
        std::copy_n(part.data() + g * width, width, vectors.data() + (done + g) * columns + m * width);
      done += batch.graphs.size();
    }
  }
  return vectors;
}

}  // namespace twofold::train
