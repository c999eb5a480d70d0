#pragma once

#include "twofold/report/plot.h"
#include "twofold/report/run_groups.h"
#include "twofold/report/table.h"

namespace twofold::report {

/// A row of points per run, one point per fold, and their mean and spread.
Plot plot_folds(const RunGroup& group);
/// The score of every run in every fold.
Table folds_table(const RunGroup& group);

}  // namespace twofold::report
