#pragma once

#include <cstdint>
#include <ostream>

#include "cli/options.h"
#include "cli/pair_test.h"
#include "cli/wl_options.h"

namespace twofold::cli {

struct WlPairsOptions : WlOptions {
  std::uint64_t seed = 1;   // of networks
  std::string certificate;  // a file of JSON lines; empty: none
};

void declare_wl_pairs(Options& flags, WlPairsOptions& options);
int run_wl_pairs(const WlPairsOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
