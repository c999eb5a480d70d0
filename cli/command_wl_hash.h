#pragma once

#include <CLI/CLI.hpp>

#include <ostream>

#include "cli/wl_options.h"

namespace twofold::cli {

struct WlHashOptions : WlOptions {};

void declare_wl_hash(CLI::App& app, WlHashOptions& options);
int run_wl_hash(const WlHashOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
