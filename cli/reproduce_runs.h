#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/reproduce_page.h"
#include "twofold/model/learner.h"
#include "twofold/paper/comparison.h"
#include "twofold/paper/experiments.h"
#include "twofold/record/run_record.h"

namespace twofold::cli {

/// What became of one evaluation of a table.
struct RunOutcome {
  paper::RunPlan plan;
  FoundDataset dataset;
  std::string folder;  // OUTPUT/runs/DATASET/LEARNER, or OUTPUT/runs-quick/…
  // The finished evaluation; else why there is none: `no data`, `not run`, `not in --quick`, `failed`; and, if
  // there is more to say, what.
  std::optional<record::RunRecord> record;
  std::string missing;
  std::string reason;

  std::optional<paper::Figure> test() const;
  std::optional<paper::Figure> train() const;
};

/// Which evaluations a command consists of: every learner on every dataset that there is a pair of.
struct RunRequest {
  std::vector<FoundDataset> datasets;
  // One per dataset: its learners.
  std::vector<std::vector<paper::Learner>> learners;
  std::string name = {};  // of the command: `table1`
};

/// Makes all evaluations of the request that --only does not exclude, dataset by dataset, each as `twofold
/// evaluate` makes it and in a run folder of its own; finished ones are only read, interrupted ones resumed.
/// One that fails for want of memory, or in which a training fails, is noted and the others go on.
///
/// Throws UsageError for a word of --only that names nothing in the request, and where a folder holds another
/// evaluation.
std::vector<RunOutcome> make_runs(const RunRequest& request, const std::vector<model::LearnerFactory>& learners,
                                  const ReproduceOptions& options, std::ostream& err);

/// With --plan: what make_runs would take, a line per evaluation with its CPU time at most, from one measured
/// epoch of each of its configurations (of kernels by a fit of as many as some seconds allow).
/// Nothing is written. Throws as make_runs does; an evaluation that cannot be made is noted in its line.
/// Returns false, and does nothing, without --plan.
bool plan_runs(const RunRequest& request, const std::vector<model::LearnerFactory>& learners,
               const ReproduceOptions& options, std::ostream& out, std::ostream& err);

/// Only what is finished in the folders.
std::vector<RunOutcome> read_runs(const RunRequest& request, const ReproduceOptions& options);

/// 1 if any evaluation failed, else 0.
int exit_code(const std::vector<RunOutcome>& runs);

/// Says on the page how the runs were made: by --quick and what that means, on which data and folds, what
/// failed.
void describe_runs(report::Page& page, const std::vector<RunOutcome>& runs, const ReproduceOptions& options);

}  // namespace twofold::cli
