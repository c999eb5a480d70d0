#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "twofold/gram/kernel.h"
#include "twofold/nn/model_options.h"
#include "twofold/train/engine.h"
#include "twofold/train/trainer.h"

namespace twofold::cli {

/// What to learn with and how: everything but data, seeds and files.
struct LearnSettings {
  // A network, or a graph kernel with a support vector machine.
  bool is_kernel = false;

  nn::ModelOptions model;
  train::TrainOptions train;
  train::EngineOptions engine;
  // Regression: mse unless said.
  train::Loss loss = train::Loss::kSquared;
  // Classes count by the inverse of their frequency.
  bool class_weights = false;
  // Attributes are brought to mean 0 and deviation 1 over the training graphs.
  bool standardize = true;

  gram::Kernel kernel;
  bool normalize = false;
  double penalty = 1;
};

/// The options of all models as the command line gave them: name and text.
using GivenOptions = std::vector<std::pair<std::string, std::string>>;

/// Whose defaults. `train` wants a good model soon, whatever the data; evaluations and measurements keep to the
/// values that their records and figures were made with.
enum class LearnDefaults { kTrain, kEvaluate };

/// `--model` and every option of any model.
void declare_learning(Options& flags, std::string& model, GivenOptions& given, LearnDefaults defaults);

/// The model's defaults with what was given. Throws UsageError for an unknown model, an option that the model
/// does not have, and a value out of range.
LearnSettings resolve_learning(const std::string& model, const GivenOptions& given,
                               LearnDefaults defaults = LearnDefaults::kEvaluate);

/// All that shapes a result, one JSON object with the options' names.
std::string settings_json(const LearnSettings& settings);

}  // namespace twofold::cli
