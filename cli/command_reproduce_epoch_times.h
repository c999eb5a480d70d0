#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/reproduce_page.h"

namespace twofold::cli {

/// `reproduce epoch-times`: seconds per epoch over n, d and r beside the paper's (Appendix E).
void declare_reproduce_epoch_times(Options& flags, ReproduceOptions& options);
int run_reproduce_epoch_times(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
