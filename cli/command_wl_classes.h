#pragma once

#include <CLI/CLI.hpp>

#include <ostream>

#include "cli/wl_options.h"

namespace twofold::cli {

struct WlClassesOptions : WlOptions {};

void declare_wl_classes(CLI::App& app, WlClassesOptions& options);
int run_wl_classes(const WlClassesOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
