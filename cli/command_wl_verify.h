#pragma once

#include <ostream>
#include <string>

#include "cli/options.h"

namespace twofold::cli {

struct WlVerifyOptions {
  std::string dataset;
  std::string certificates;
  bool json = false;
  bool quiet = false;
  int threads = 0;
};

void declare_wl_verify(Options& flags, WlVerifyOptions& options);
int run_wl_verify(const WlVerifyOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
