#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "twofold/eval/grid.h"
#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"
#include "twofold/eval/work.h"
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
  /// Folds that were drawn already by other rules (link_data.h, group_splits.h); none: as said above.
  Splits drawn = {};
  int folds = 0;  // 0: 10, or all of the splits file
  int repeats = 3;
  std::string metric;  // empty: what fits the targets
  std::uint64_t seed = 1;
  std::uint64_t split_seed = 1;
  model::TargetChoice targets;
  bool blind = false;
  /// Plan::refit; nothing: with preset `default`, where no configuration goes by validation graphs.
  std::optional<bool> refit;
  int inner_folds = 1;  // Plan::inner_folds; several need configurations that may refit
  // Who evaluates, and what was typed (Plan::given): for the record, they decide nothing.
  std::string version;
  std::string commit;
  model::Config given = model::Config::object();
};

/// The plan of an evaluation, every configuration checked; nothing is written. `is_deterministic` learners get
/// one final run per fold. Throws UsageError and InputError naming what is wrong.
Plan make_plan(const EvaluationRequest& request, const Dataset& dataset, const model::Targets& targets,
               bool is_deterministic);

/// What of an evaluation changes no result.
struct EvaluationWork {
  int threads = 0;
  std::uint64_t max_memory = 0;
  /// Called in this thread. May be empty. What it throws ends the work; the same call goes on from there.
  std::function<void(const WorkEvent&)> on_event;
};

/// The fair protocol in this process, from the data to the result (result.h), resumable: the folder is made if
/// need be, and one that holds another evaluation is a UsageError. The folder has the bytes that the program
/// `twofold evaluate` writes. Throws Error naming the first task that failed.
model::Config evaluate(const EvaluationRequest& request, const Dataset& dataset,
                       const model::LearnerFactory& learner, const std::string& folder,
                       const EvaluationWork& work);
model::Config evaluate(const EvaluationRequest& request, const Dataset& dataset,
                       const model::LearnerFactory& learner, const std::string& folder, int threads = 0);

/// Throws Error for a path that is a file, or a folder with something in it that no evaluation made.
void require_run_folder(const std::string& path);

/// Which graphs the learner cannot tell apart: as twins.json says, which is written first if it is not there.
model::TwinClasses find_twins(RunFolder& folder, model::Learner& learner, const Plan& plan);

}  // namespace twofold::eval
