#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/reproduce_page.h"

namespace twofold::cli {

/// `reproduce cycles`: Appendix D's hypothesis, how cyclic the datasets are beside what a larger radius gains.
void declare_reproduce_cycles(Options& flags, ReproduceOptions& options);
int run_reproduce_cycles(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
