#pragma once

#include <vector>

#include "twofold/report/run_groups.h"
#include "twofold/report/run_view.h"
#include "twofold/report/table.h"

namespace twofold::report {

/// Which configurations the folds chose, and what all of them had in common.
Table configurations_table(const RunGroup& group);
/// Seconds and memory of the tasks, as they were measured.
Table times_table(const std::vector<RunGroup>& groups);
/// Which program made the runs, from what data.
Table records_table(const std::vector<RunView>& runs);

}  // namespace twofold::report
