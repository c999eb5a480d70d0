#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/reproduce_page.h"

namespace twofold::cli {

/// `reproduce figures`: the paper's drawings, and that what they show is so.
void declare_reproduce_figures(Options& flags, ReproduceOptions& options);
int run_reproduce_figures(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
