#pragma once

#include <vector>

#include "twofold/model/learner.h"

namespace twofold::train {

/// Every learner there is: the graph kernels (kernel_learner.h), then the networks (network_learner.h).
std::vector<model::LearnerFactory> all_learners();

}  // namespace twofold::train
