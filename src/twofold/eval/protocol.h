#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"
#include "twofold/eval/task_file.h"
#include "twofold/model/learner.h"
#include "twofold/model/metrics.h"

namespace twofold::eval {

/// All that choosing a configuration may know of a fold. It is made without the fold's test graphs.
struct SelectionFold {
  model::LabeledGraphs train;
  model::LabeledGraphs validation;
  // With Plan::inner_folds the same graphs parted anew: each configuration is fitted and scored on each of
  // these, which have no parts of their own. Else empty.
  std::vector<SelectionFold> parts = {};
};
/// Of the plan's fold with that number.
SelectionFold selection_fold(const Plan& plan, std::size_t fold, const model::Targets& targets);

/// Trains one configuration and scores it on the graphs it was trained on and on the validation graphs:
/// {"task", "fold", "config", "seed", "train", "validation", "notes", "history"}; in a rung of halving that
/// ends before the configuration's last epoch also "most_epochs"; where final runs learn from the validation
/// graphs (Plan::refit) also what these then cannot say: "metrics" {"validation"} and "sureness".
/// With inner folds, scores and metrics are means over them, "sureness" is of all their predictions, "notes"
/// and "history" are of the first, and "inner" has a {"train", "validation"} for each.
model::Config run_selection(model::Learner& learner, const Plan& plan, const TaskId& task, std::size_t config,
                            const SelectionFold& fold, const Progress& progress = {});

/// The configuration that a selection trains: its own, or, in a rung after the first, that of its place among
/// the configurations of the rung before, the best first. Needs the files of that rung.
std::size_t config_of_task(const Plan& plan, const RunFolder& folder, const TaskId& task);

/// Of Search::kUntilPerfect: the first configuration of the fold, before that of the task, with a score that
/// none can beat; then the task need not be done. Needs the files of all configurations before.
std::optional<std::size_t> perfect_before(const Plan& plan, const RunFolder& folder, const TaskId& task);
/// What stands for such a task: {"task", "fold", "config", "spared_by", "train": null, "validation": null,
/// "notes", "history"}.
model::Config spared_selection(const TaskId& task, std::size_t by);

/// What was found in a fold: a configuration, and, where final runs learn from the validation graphs, what its
/// selection wrote (run_selection); else null.
struct Winner {
  std::size_t config = 0;
  model::Config selection = nullptr;
};
/// From the files of a fold's selection, which must all be there.
Winner find_winner(const Plan& plan, const RunFolder& folder, std::size_t fold);

/// Trains the chosen configuration, then scores it on the test graphs too: {"task", "fold", "run", "config",
/// "seed", "train", "validation", "test", "predictions", "scores" (a row of class scores per test graph, if the
/// learner gives them), "metrics" {"train", "validation"} (every metric; those of the test graphs follow from
/// the predictions), "sureness" (sureness.h, of targets of graphs), "notes", "history"}.
model::Config run_final(model::Learner& learner, const Plan& plan, const TaskId& task, const Winner& winner,
                        const SelectionFold& fold, const model::LabeledGraphs& test,
                        const Progress& progress = {});

/// What the selections of one rung of a fold found, the best first, of equals the first of the grid. Needs
/// their files.
std::vector<TaskScores> ranked_rung(const Plan& plan, const RunFolder& folder, std::size_t fold,
                                    std::size_t rung);

/// The configuration with the best validation score; of equals the first, and NaN is worse than all.
std::size_t choose(model::Metric metric, const std::vector<double>& validation_scores);
/// The same from the files of a fold's selection, by halving of its last rung, which must all be there.
std::size_t choose(const Plan& plan, const RunFolder& folder, std::size_t fold);

/// What a finished task says without its test graphs.
struct ValidationResult {
  double score = 0;  // on the validation graphs
  // Of learners with epochs; else 0.
  int epochs = 0;
  int best_epoch = 0;
  // No epoch's training loss was clearly below that of always the same answer (train/did_it_learn.h).
  bool did_not_learn = false;
};
ValidationResult read_validation(const Plan& plan, const RunFolder& folder, const TaskId& task);

}  // namespace twofold::eval
