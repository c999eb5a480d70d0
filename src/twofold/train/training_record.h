#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "twofold/graph/dataset.h"
#include "twofold/model/config.h"
#include "twofold/train/model_file.h"

namespace twofold::train {

/// Which graphs a network was trained on and stopped by.
struct TrainingGraphs {
  std::size_t num_train = 0;
  std::size_t num_validation = 0;
  // Held out by this share and seed, …
  double validation = 0;
  std::uint64_t split_seed = 1;
  // … or given by a fold of a splits file, counted from 1, and the checksum of that fold.
  std::optional<int> fold;
  std::string splits_checksum;
};

/// The dataset that they are of.
struct TrainingData {
  std::string name;
  std::size_t num_graphs = 0;
  std::uint64_t num_rows = 0;  // of the encoded dataset
  std::string checksum;
};
TrainingData training_data(const Dataset& dataset, std::uint64_t num_rows);

/// All that shapes a trained network, for its file (Network::training) and its checkpoints: model, every
/// option, seed, data, graphs.
model::Config training_record(const Network& network, const TrainingData& data, std::uint64_t seed,
                              const TrainingGraphs& graphs, bool from_run = false);

}  // namespace twofold::train
