#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/reproduce_page.h"

namespace twofold::cli {

/// `reproduce wlst-depths`: accuracy over the depth of the WL subtree kernel.
void declare_reproduce_wlst_depths(Options& flags, ReproduceOptions& options);
int run_reproduce_wlst_depths(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

/// `reproduce radius`: accuracy of the 2-WL-GNN over its radius (Appendix D).
void declare_reproduce_radius(Options& flags, ReproduceOptions& options);
int run_reproduce_radius(const ReproduceOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
