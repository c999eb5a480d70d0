#pragma once

#include <ostream>

#include "cli/options.h"

namespace twofold::cli {

struct VersionOptions {
  bool verbose = false;  // also what twofold stands on
  bool json = false;
};

void declare_version(Options& flags, VersionOptions& options);
int run_version(const VersionOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
