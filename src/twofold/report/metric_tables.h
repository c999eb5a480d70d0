#pragma once

#include <string>

#include "twofold/report/run_groups.h"
#include "twofold/report/table.h"

namespace twofold::report {

/// One row per run of the group, one column per metric that any of them has: mean ± standard deviation over the
/// folds. Only the names of the runs where none has any.
Table metrics_table(const RunGroup& group);

/// One row per target of the run, one column per metric. Needs run.targets.
Table targets_table(const RunView& run, const std::string& name);

/// Which classes were taken for which, and how much of each was found. Needs run.confusion.
Table confusion_table(const RunView& run, const std::string& name);

}  // namespace twofold::report
