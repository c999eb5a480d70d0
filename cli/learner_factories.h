#pragma once

#include <vector>

#include "twofold/model/learner.h"

namespace twofold::cli {

/// Every learner: the graph kernels, and the networks.
std::vector<model::LearnerFactory> learner_factories();

}  // namespace twofold::cli
