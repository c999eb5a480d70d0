#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/model/config.h"
#include "twofold/model/model_table.h"
#include "twofold/model/targets.h"

namespace twofold::eval {

/// The configurations to choose from, in the order in which ties are decided.
using Grid = std::vector<model::Config>;

/// Values for options, from the command line or elsewhere: each a list of one or more.
using Overrides = std::vector<std::pair<std::string, std::vector<model::Config>>>;

struct GridRequest {
  std::string model;
  /// The dataset's name: presets know some.
  std::string dataset;
  /// One of preset_names(); empty: every option at its default.
  std::string preset = "default";
  /// The text of a grid file, and its name for messages; both empty if there is none. Its values replace those
  /// of the preset.
  std::string file_text;
  std::string file_name;
  /// Replace both.
  Overrides overrides;
  /// How many triples the graphs have at radius 2 for each at radius 1 (growth_of); called if a rule asks for
  /// it. Empty: not known.
  std::function<double()> growth = {};
};

/// Every combination of the values, all options resolved. The model's option named first varies slowest.
///
/// The form of files, and of the presets themselves, is TOML:
///
///     ["2-wl-gnn"]
///     layers = [1, 3]                    # one value or several
///     together = [{width = 32, lr = 0.01}, {width = 64, lr = 0.001}]    # values that go with each other
///     [["2-wl-gnn".when]]                # where all of these hold, …
///     dataset = ["NCI1", "DD"]
///     is = {pooling = "mean"}
///     growth-above = 4                   # triples at radius 2 for each at radius 1, or not known
///     set = {layers = 3, radius = 2}     # … these replace what stands above
///
/// Throws UsageError naming file, line and key for anything unknown or out of range, and for more than 10000
/// configurations.
Grid make_grid(const GridRequest& request);

/// What defaults go by besides the model. Nodes and pairs with targets of their own in several graphs are
/// learnt as graphs are.
enum class LearntFrom { kGraphs, kNodesOfOneGraph, kHeldOutEdges };
LearntFrom learnt_from(const model::Targets& targets, bool holds_out_edges);
/// What the presets `quick` and `default` mean there: `nodes-quick` and `nodes`, `links-quick` and `links`.
/// Other presets are what they are.
std::string preset_for(const std::string& preset, LearntFrom what);
/// The text of those four presets; null for others.
const std::string* item_preset_text(const std::string& preset);

/// How many triples graphs have at radius 2 for each at radius 1: what it costs a pair network to see farther.
/// Infinite where they cannot be counted in the memory that is left; 1 for no triples. Counts without building
/// them, which takes a second for REDDIT-BINARY (pairs/pair_counts.h).
double growth_of(Span<const Graph> graphs);

/// What of a configuration differs from the options' fallbacks, as typed: `--layers 2 --width 16`.
std::string options_text(const model::Model& model, const model::Config& config);

/// The words of --preset.
const std::vector<std::string>& preset_names();
/// The TOML text of a preset. Throws UsageError for another word.
const std::string& preset_text(const std::string& preset);

}  // namespace twofold::eval
