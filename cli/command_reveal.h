#pragma once

#include <ostream>
#include <string>

#include "cli/options.h"

namespace twofold::cli {

struct RevealOptions {
  std::string run;
  bool json = false;
};

void declare_reveal(Options& flags, RevealOptions& options);
int run_reveal(const RevealOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
