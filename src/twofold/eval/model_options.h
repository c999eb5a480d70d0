#pragma once

#include <string>
#include <vector>

#include "twofold/eval/config.h"

namespace twofold::eval {

enum class OptionKind { kBool, kInteger, kReal, kWord, kRadius };

/// One option of a model: what grids, files and the command line may say, and what it means.
struct ModelOption {
  std::string name;  // as on the command line, without the dashes
  OptionKind kind = OptionKind::kInteger;
  Config fallback;  // where nothing else is said
  std::string meaning;
  // Numbers: the least and most allowed.
  double least = 0;
  double most = 0;
  // kWord: the words allowed.
  std::vector<std::string> words;
};

/// A word of --model and its options, in the order that configurations and grids have them.
struct Model {
  std::string name;
  bool is_network = false;
  std::vector<ModelOption> options;

  /// Null if there is no such option.
  const ModelOption* find(const std::string& option) const;
  /// `radius, layers, width, …`, for messages.
  std::string option_names() const;
};

/// 2-wl-gnn, 2-gnn, gin, gcn, sage, mlp, wl-st, wl-sp, 2-lwl, 2-gwl.
const std::vector<Model>& models();
/// Throws UsageError naming the known ones.
const Model& find_model(const std::string& name);
/// Every option of any model, once, for the command line.
std::vector<ModelOption> all_model_options();

/// What the option allows, for messages: `an integer in 1..1000`, `mean, sum or max`, `true or false`.
std::string allowed_values(const ModelOption& option);
/// Whether a value of a file fits; an integer fits where a real number is needed, and is turned into one.
bool fits(const ModelOption& option, Config& value);
/// A value from the command line. Throws UsageError naming the option, need and found.
Config parse_value(const ModelOption& option, const std::string& text);

/// A configuration with every option at its fallback.
Config fallback_config(const Model& model);

}  // namespace twofold::eval
