#pragma once

#include <ostream>
#include <string>

#include "cli/options.h"

namespace twofold::cli {

struct SimulateOptions {
  std::string model;
  std::string output;
  bool json = false;
};

void declare_simulate(Options& flags, SimulateOptions& options);
int run_simulate(const SimulateOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
