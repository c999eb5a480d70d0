#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/reproduce_page.h"

namespace twofold::cli {

/// `reproduce steadiness`: the 2-WL-GNN on TRIANGLE with ten seeds, the paper's and ours.
void declare_reproduce_steadiness(Options& flags, ReproduceOptions& options);
int run_reproduce_steadiness(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
