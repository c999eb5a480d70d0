#pragma once

#include <CLI/CLI.hpp>

#include <ostream>

#include "cli/wl_options.h"

namespace twofold::cli {

struct WlPairsOptions : WlOptions {};

void declare_wl_pairs(CLI::App& app, WlPairsOptions& options);
int run_wl_pairs(const WlPairsOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
