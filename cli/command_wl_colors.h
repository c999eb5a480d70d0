#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/wl_options.h"

namespace twofold::cli {

struct WlColorsOptions : WlOptions {
  std::vector<std::size_t> graphs;  // counted from 1; all if empty
  bool rounds = false;              // every round, not only the stable one
  std::string output;               // an SVG file
};

void declare_wl_colors(Options& flags, WlColorsOptions& options);
int run_wl_colors(const WlColorsOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
