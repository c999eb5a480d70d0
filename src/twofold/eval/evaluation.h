#pragma once

#include <cstdint>
#include <string>

#include "twofold/eval/grid.h"
#include "twofold/eval/plan.h"
#include "twofold/model/learner.h"
#include "twofold/model/targets.h"

namespace twofold::eval {

/// What to evaluate and how, as one would say it on the command line.
struct EvaluationRequest {
  std::string model = "2-wl-gnn";
  std::string preset = "default";
  /// Replace the preset's values; so do the tables of a grid file (grid.h), if its name is not empty.
  Overrides overrides;
  std::string file_name;
  std::string file_text;
  /// The text of a splits file and its name for messages; empty: folds are drawn.
  std::string splits_text;
  std::string splits_name;
  Search search = Search::kGrid;
  int folds = 0;  // 0: 10, or all of the splits file
  int repeats = 3;
  std::string metric;  // empty: what fits the targets
  std::uint64_t seed = 1;
  std::uint64_t split_seed = 1;
  model::TargetChoice targets;
  bool blind = false;
};

/// The plan of an evaluation, every configuration checked; nothing is written. `is_deterministic` learners get
/// one final run per fold. Throws UsageError and InputError naming what is wrong.
Plan make_plan(const EvaluationRequest& request, const Dataset& dataset, const model::Targets& targets,
               bool is_deterministic);

/// The fair protocol in this process, from the data to the result (result.h), resumable: the folder is made if
/// need be, and one that holds another evaluation is a UsageError. Throws Error naming the first task that
/// failed.
model::Config evaluate(const EvaluationRequest& request, const Dataset& dataset,
                       const model::LearnerFactory& learner, const std::string& folder, int threads = 0);

}  // namespace twofold::eval
