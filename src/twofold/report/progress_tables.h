#pragma once

#include <vector>

#include "twofold/report/run_view.h"
#include "twofold/report/table.h"

namespace twofold::report {

/// Runs that are not finished: their tasks, and the time that is left.
Table progress_table(const std::vector<GoingRun>& runs);
/// The same fold by fold, with the best validation score so far.
Table progress_folds_table(const std::vector<GoingRun>& runs);

}  // namespace twofold::report
