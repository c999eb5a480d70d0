#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/reproduce_page.h"

namespace twofold::cli {

/// `reproduce deltas`: the matrices of Appendix F from the runs of table1 and table2.
void declare_reproduce_deltas(Options& flags, ReproduceOptions& options);
int run_reproduce_deltas(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
