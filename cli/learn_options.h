#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "twofold/eval/grid.h"
#include "twofold/model/model_table.h"
#include "twofold/model/targets.h"

namespace twofold::cli {

/// The options of models as the command line gave them: name and text.
using GivenOptions = std::vector<std::pair<std::string, std::string>>;

/// Whether an option takes one value, or several with commas between that make a grid.
enum class GivenValues { kOne, kSeveral };

/// `--model MODEL`, in any case.
Option& declare_model(Options& flags, std::string& model);
/// Every option of any model (model/option_table.h).
void declare_learning(Options& flags, GivenOptions& given, GivenValues values);

/// `--target a,b` and `--task classes|values`.
void declare_targets(Options& flags, model::TargetChoice& choice);
/// `--split-seed N`.
void declare_split_seed(Options& flags, std::uint64_t& seed);

/// What was given as values of the model's options. Throws UsageError for an option that the model does not
/// have and for a value that does not fit.
eval::Overrides parse_given(const model::Model& model, const GivenOptions& given);

/// What is timed: the model's defaults with what was given; pair networks have the paper's layers (three, a
/// linear gate, no norm, one pooling) unless they are given others, so that times can be set beside those of
/// before and of the paper. Throws UsageError as parse_given, for several values of one option, and for
/// combinations that the model does not have.
model::LearnSettings resolve_timed(const std::string& model, const GivenOptions& given);

}  // namespace twofold::cli
