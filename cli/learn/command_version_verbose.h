#pragma once

#include <ostream>

#include "cli/command_version.h"

namespace twofold::cli {

/// `twofold version --verbose`: what twofold stands on, on this machine.
int run_version_verbose(const VersionOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
