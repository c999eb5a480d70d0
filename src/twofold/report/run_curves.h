#pragma once

#include "twofold/report/plot.h"
#include "twofold/report/run_groups.h"

namespace twofold::report {

/// The validation score by epoch, one line per learner: the mean over its final trainings. Without series if no
/// record has curves.
Plot plot_validation(const RunGroup& group);

/// Training and validation loss of one learner: medians, and for validation the band of the middle half.
/// Without series if the record has no losses. `color` is that of the learner.
Plot plot_losses(const RunView& run, int color);

}  // namespace twofold::report
