#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/wl_options.h"

namespace twofold::cli {

struct WlHashOptions : WlOptions {};

void declare_wl_hash(Options& flags, WlHashOptions& options);
int run_wl_hash(const WlHashOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
