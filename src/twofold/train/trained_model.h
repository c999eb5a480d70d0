#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "twofold/graph/dataset.h"
#include "twofold/model/targets.h"
#include "twofold/svm/kernel_model.h"
#include "twofold/train/engine.h"
#include "twofold/train/model_file.h"

namespace twofold::train {

/// A model file of either kind.
struct TrainedModel {
  std::string path;
  std::optional<Network> network;
  std::optional<svm::KernelModel> kernel;
};

/// Throws InputError naming the file for one that is no model, Error for one that cannot be read, UsageError
/// for a folder or TRIANGLE.
TrainedModel read_model(const std::string& path);

/// None for a model of real values.
const std::vector<std::string>& class_names(const TrainedModel& model);

/// The names of labels that the model was trained on.
const InputNames& input_names(const TrainedModel& model);

/// Numbers the dataset's labels as the model's training data did, by their names. Throws InputError naming
/// `source` if one has names and the other has not.
void number_labels_for(const TrainedModel& model, Dataset& dataset, const std::string& source);

/// The dataset itself if its labels are numbered as the model's, else a copy that is (number_labels_for), put
/// into `copy`.
const Dataset& numbered_for(const TrainedModel& model, const Dataset& dataset, const std::string& source,
                            std::optional<Dataset>& copy);

/// A graph with a label that a network does not know has no row of features; a kernel passes over such labels.
struct UnknownLabel {
  std::size_t graph = 0;
  std::string what;  // `the node label Se`
};
/// Of each such graph its first one, in order. Needs labels numbered as the model's.
std::vector<UnknownLabel> unknown_labels(const TrainedModel& model, const Dataset& dataset);

/// What a network says something about: empty for its graphs, all nodes, or the pairs of Dataset::pair_targets.
/// Throws InputError naming `source` if there are none.
std::vector<Item> asked_items(const Network& network, const Dataset& dataset, const std::string& source);

/// What the model says about the graphs, or about their nodes or pairs (asked_items). Throws InputError naming
/// `source` if they do not fit a network.
model::Predictions predict(const TrainedModel& model, const Dataset& dataset, const std::string& source,
                           int threads = 0, std::uint64_t max_memory = 0);

/// A network ready to be run on a dataset.
class NetworkOnData {
 public:
  /// Throws InputError naming `source` if the graphs do not fit the network.
  NetworkOnData(const Network& network, const Dataset& dataset, const std::string& source, int threads,
                std::uint64_t max_memory);

  /// A row of outputs a graph; of an ensemble what its members say together (ensemble.h).
  std::vector<float> outputs();
  /// The same of each member.
  std::vector<std::vector<float>> member_outputs();
  /// A row of vector_width() values per graph; of an ensemble those of its members side by side.
  std::vector<float> vectors();
  /// Graphs, nodes or links.
  std::size_t num_items() const { return all_.size(); }
  std::size_t vector_width() const { return network_.num_members() * engine_->vector_width(); }

 private:
  const Network& network_;
  EncodedDataset data_;
  std::unique_ptr<Engine> engine_;
  model::BatchLimits limits_;
  std::vector<std::uint32_t> all_;
};

}  // namespace twofold::train
