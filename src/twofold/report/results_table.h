#pragma once

#include <vector>

#include "twofold/report/run_groups.h"
#include "twofold/report/table.h"

namespace twofold::report {

/// Test scores as papers print them: one row per group (a dataset, numbered where it has several),
/// one column per learner, mean ± standard deviation over the folds. A learner is called by its model; where
/// one dataset has several runs of a model, by the name of the run's folder. Columns `metric` and `folds` come
/// second and third where `with_details`, or where groups differ in them.
Table results_table(const std::vector<RunGroup>& groups, bool with_details);

/// One row per group: its best run, and which of the others it is clearly or likely better than.
Table overview_table(const std::vector<RunGroup>& groups);

/// `Test accuracy in percent: mean ± standard deviation over 10 folds.`
std::string describe_results(const std::vector<RunGroup>& groups);

}  // namespace twofold::report
