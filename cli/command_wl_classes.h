#pragma once

#include <ostream>

#include "cli/options.h"
#include "cli/wl_options.h"

namespace twofold::cli {

struct WlClassesOptions : WlOptions {};

void declare_wl_classes(Options& flags, WlClassesOptions& options);
int run_wl_classes(const WlClassesOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
