#pragma once

#include <functional>
#include <string>
#include <vector>

#include "twofold/model/config.h"
#include "twofold/model/learn_settings.h"

namespace twofold::model {

enum class OptionKind { kBool, kInteger, kReal, kWord, kText, kRadius };

/// One option as one model has it: what command lines, files and grids may say, and what it means.
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
  // Other names that people type for it.
  std::vector<std::string> aliases;
  // The field it stands for. Needs a value that fits.
  std::function<void(LearnSettings&, const Config&)> set;
  std::function<Config(const LearnSettings&)> get;
  // What files and records mean that were written before there was this option; null: there are none.
  Config before = nullptr;
};

/// A word of --model and its options, in the order that configurations and grids have them.
struct Model {
  std::string name;
  bool is_network = false;
  ModelKind kind = ModelKind::k2WlGnn;                     // of a network
  gram::KernelKind kernel = gram::KernelKind::kWlSubtree;  // of a kernel
  std::vector<ModelOption> options;

  /// By name or alias; null if there is no such option.
  const ModelOption* find(const std::string& option) const;
  /// `radius, layers, width, …`, for messages.
  std::string option_names() const;
};

/// 2-wl-gnn, 2-gnn, gin, gcn, sage, mlp, wl-st, wl-sp, 2-lwl, 2-gwl, 2-wl.
const std::vector<Model>& models();
/// In any case, `GIN` and `2_WL_GNN` included. Throws UsageError naming the known ones, the nearest first.
const Model& find_model(const std::string& name);
/// `2-wl-gnn, 2-gnn, gin, … or 2-wl`.
std::string model_names();

/// What several models have in common of an option, for the command line.
struct SharedOption {
  ModelOption option;                // of the first model that has it
  std::vector<const Model*> models;  // all that have it
};
/// Every option of any model, once.
const std::vector<SharedOption>& all_options();

/// What the option allows, for messages: `an integer in 1..1000`, `mean, sum or max`, `true or false`.
std::string allowed_values(const ModelOption& option);
/// Whether a value of a file fits; an integer fits where a real number is needed, and is turned into one.
bool fits(const ModelOption& option, Config& value);
/// A value from the command line. Throws UsageError naming the option, need and found.
Config parse_value(const ModelOption& option, const std::string& text);
/// The option of that name. Throws UsageError, naming those it has, where the model has none.
const ModelOption& require_option(const Model& model, const std::string& name);

/// A configuration with every option at its fallback.
Config fallback_config(const Model& model);
/// A full configuration of what somebody asked for: all else is at its fallback, but for fallbacks that do not
/// go with it: without a head poolings are not joined, and in batches of one graph each row is normalized by
/// itself.
Config full_config(const Model& model, const Config& given);

/// What a full configuration says. Throws UsageError for a combination that the model does not have.
LearnSettings settings_of(const Model& model, const Config& config);
/// Adds what a configuration of an earlier version means by saying nothing (ModelOption::before).
void add_newer_options(const Model& model, Config& config);
/// The reverse of settings_of: every option of the model.
Config config_of(const Model& model, const LearnSettings& settings);
/// The model that settings are of.
const Model& model_of(const LearnSettings& settings);

}  // namespace twofold::model
