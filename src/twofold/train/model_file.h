#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twofold/graph/label_names.h"
#include "twofold/model/calibration.h"
#include "twofold/model/learn_settings.h"
#include "twofold/train/encoded_dataset.h"
#include "twofold/train/objective.h"
#include "twofold/train/trainer.h"

namespace twofold::train {

/// A trained network with all that is needed to predict new graphs.
struct Network {
  // What it is and how it was trained, every option.
  model::LearnSettings settings;
  InputLayout layout;
  Objective task;
  // Classification: the classes as the data writes them.
  std::vector<std::string> class_names;
  // Values and questions: the targets by name, and which of the dataset's they are, from 0.
  std::vector<std::string> target_names;
  std::vector<std::size_t> target_columns;
  // The names of labels in the training data, if they are texts.
  InputNames names;
  // From graphs that were held out, if any were.
  model::Calibration calibration;
  // How it was trained besides: one JSON object, for people; nothing depends on it.
  std::string training = "{}";
  // Laid out by model::parameter_layout(settings.model, layout.columns()).
  std::vector<float> parameters;
  // Of an ensemble: the parameters of its further members, each laid out the same.
  std::vector<std::vector<float>> others;

  std::size_t num_members() const { return 1 + others.size(); }
  const std::vector<float>& member(std::size_t m) const { return m == 0 ? parameters : others[m - 1]; }
};

/// What `format` says in the configuration of a network's file.
inline constexpr const char* kNetworkFormat = "twofold network";

/// The bytes of a model file (record/tensor_file.h): configuration, and a tensor a parameter under its name,
/// of an ensemble with `member.2.` and so on before it for the further members. The same network gives the same
/// bytes.
std::string encode_network(const Network& network);

/// The reverse. Nothing in the bytes is trusted: throws InputError naming `source`, need and found for anything
/// but a network of this version or an earlier one.
Network decode_network(std::string_view bytes, const std::string& source);

/// What `format` says in the configuration of a model file, to tell networks from kernel models; throws
/// InputError for a file that says nothing.
std::string model_format(std::string_view bytes, const std::string& source);

/// A training that can go on: `config` is one JSON object of all that shapes the result, for comparison.
struct Checkpoint {
  std::string config = "{}";
  TrainState state;
  // Of an ensemble: the members that were trained before.
  struct Member {
    std::vector<float> parameters;  // those that were chosen
    std::vector<EpochRecord> history;
    int best_epoch = 0;  // as in TrainState
  };
  std::vector<Member> members;
};
std::string encode_checkpoint(const Checkpoint& checkpoint);
/// Throws InputError as decode_network.
Checkpoint decode_checkpoint(std::string_view bytes, const std::string& source);

}  // namespace twofold::train
