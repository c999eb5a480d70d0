#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/reproduce_page.h"

namespace twofold::cli {

/// `reproduce stats`: the sizes of the datasets beside the table of Appendix C.
void declare_reproduce_stats(Options& flags, ReproduceOptions& options);
int run_reproduce_stats(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
