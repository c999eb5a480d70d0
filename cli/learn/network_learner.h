#pragma once

#include <vector>

#include "twofold/eval/learner.h"

namespace twofold::cli {

/// The networks as learners: 2-wl-gnn, 2-gnn, gin, gcn, sage, mlp. A configuration has the options of
/// learn_options.h. Graphs are encoded once for all folds and configurations that read them alike.
std::vector<eval::LearnerFactory> network_learners();

}  // namespace twofold::cli
