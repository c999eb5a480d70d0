#pragma once

#include <ostream>
#include <vector>

#include "cli/command_evaluate.h"
#include "cli/reproduce_page.h"
#include "twofold/model/learner.h"

namespace twofold::cli {

/// Every learner that twofold-learn can evaluate: the graph kernels, and the networks.
std::vector<model::LearnerFactory> learner_factories();

/// `evaluate` with all of them.
int run_evaluate_learn(const EvaluateOptions& options, std::ostream& out, std::ostream& err);

/// Commands of `reproduce` with all of them.
int run_reproduce_table1_learn(const ReproduceOptions& options, std::ostream& out, std::ostream& err);
int run_reproduce_table2_learn(const ReproduceOptions& options, std::ostream& out, std::ostream& err);
int run_reproduce_radius_learn(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
