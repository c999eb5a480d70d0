#pragma once

#include <ostream>
#include <string>

#include "cli/options.h"

namespace twofold::cli {

struct StatusOptions {
  std::string run;
  bool json = false;
};

void declare_status(Options& flags, StatusOptions& options);
int run_status(const StatusOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
