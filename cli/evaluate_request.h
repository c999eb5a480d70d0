#pragma once

#include <string>

#include "cli/command_evaluate.h"
#include "twofold/eval/plan.h"
#include "twofold/eval/splits.h"
#include "twofold/graph/dataset.h"
#include "twofold/model/learner.h"
#include "twofold/model/targets.h"

namespace twofold::cli {

/// The file with the folds, by either option; empty: there is none.
std::string splits_file(const EvaluateOptions& options);

/// The evaluation that the options ask for. `drawn` are folds that are already known, as those of links; none:
/// they are read or drawn here. Throws UsageError and InputError for options and splits that do not fit.
eval::Plan plan_of(const EvaluateOptions& options, const Dataset& dataset, const model::TargetChoice& choice,
                   const model::Targets& targets, bool is_deterministic, const model::Libraries& libraries,
                   const eval::Splits& drawn);

}  // namespace twofold::cli
