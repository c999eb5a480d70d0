#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/reproduce_page.h"

namespace twofold::cli {

/// `reproduce table1`: every learner of the paper on TRIANGLE; `reproduce table2`: on the five real datasets.
void declare_reproduce_table1(Options& flags, ReproduceOptions& options);
void declare_reproduce_table2(Options& flags, ReproduceOptions& options);
int run_reproduce_table1(const ReproduceOptions& options, std::ostream& out, std::ostream& err);
int run_reproduce_table2(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
