#pragma once

#include <ostream>
#include <vector>

#include "cli/options.h"
#include "cli/reproduce_page.h"
#include "twofold/model/learner.h"

namespace twofold::cli {

/// `reproduce table1`: every learner of the paper on TRIANGLE; `reproduce table2`: on the five real datasets.
void declare_reproduce_table1(Options& flags, ReproduceOptions& options);
void declare_reproduce_table2(Options& flags, ReproduceOptions& options);

/// With the graph kernels; networks are left to twofold-learn (kTurnIntoLearn).
int run_reproduce_table1(const ReproduceOptions& options, std::ostream& out, std::ostream& err);
int run_reproduce_table2(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

/// The same with the learners given.
int reproduce_table1_with(const std::vector<model::LearnerFactory>& learners, const ReproduceOptions& options,
                          std::ostream& out, std::ostream& err);
int reproduce_table2_with(const std::vector<model::LearnerFactory>& learners, const ReproduceOptions& options,
                          std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
