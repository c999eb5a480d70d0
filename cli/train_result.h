#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "twofold/train/objective.h"

namespace twofold::cli {

/// `1 epoch`, `5 epochs`.
std::string epochs_text(int epochs);

/// `loss`, `accuracy`, … in percent, or `loss`, `mae`, `rmse`.
nlohmann::ordered_json scores_json(const train::Objective& task, const train::Scores& scores);
/// The same as a line of text.
std::string scores_text(const train::Objective& task, const train::Scores& scores);

/// What one gets without looking at the graphs: always the most frequent class of the training graphs, or
/// their mean.
struct Baseline {
  nlohmann::ordered_json json;  // `class` and `accuracy` (percent), or `value` and `mae`
  std::string text;             // `accuracy 52.17 %, always class 1`
};
/// Of targets as train::Objective has them. Needs some of both.
Baseline baseline_of(const train::Objective& task, const std::vector<std::string>& class_names,
                     const std::vector<double>& training, const std::vector<double>& scored);

/// A word of warning before the long work, if there is no output.
void say_what_is_kept(const std::string& output, std::ostream& err);

/// The last lines of a training: where the model is, how long it took, and what to try with it.
struct TrainedLines {
  std::string output;   // empty: the model was not kept
  std::string dataset;  // as given; for `-` the commands say DATASET
  bool is_written = true;
  bool has_next = true;   // show the commands
  std::string explained;  // what is worth explaining: `--graph 5`, `--node 17`; empty: nothing
  double seconds = 0;
};
std::string trained_text(const TrainedLines& lines);

}  // namespace twofold::cli
