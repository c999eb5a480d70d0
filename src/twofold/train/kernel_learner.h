#pragma once

#include <vector>

#include "twofold/model/learner.h"

namespace twofold::train {

/// Support vector machines on graph kernels: wl-st, wl-sp, 2-lwl, 2-gwl and 2-wl.
///
/// A Gram matrix is computed once over all graphs of the dataset and its parts are used for every fold and
/// configuration (an entry depends on its two graphs alone, so this tells nothing about targets). Options:
/// radius (2-wl), iterations, edge-labels, combine, normalize, penalty, tolerance (model_options.h). Classes
/// only.
std::vector<model::LearnerFactory> kernel_learners();

}  // namespace twofold::train
