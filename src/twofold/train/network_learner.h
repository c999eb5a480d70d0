#pragma once

#include <vector>

#include "twofold/model/learner.h"

namespace twofold::train {

/// The networks as learners: 2-wl-gnn, 2-gnn, gin, gcn, sage, mlp. A configuration has the options of
/// the option table (model/option_table.h). Graphs are encoded once for all folds and configurations that read
/// them alike.
std::vector<model::LearnerFactory> network_learners();

}  // namespace twofold::train
