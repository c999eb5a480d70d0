#pragma once

#include <string>

#include "cli/options.h"

namespace twofold::cli {

/// `--config FILE.toml`: options by their long names, `lr = 0.01`; what the command line says goes first.
/// Call after all other options are declared. A key that is no option of the command is a UsageError naming
/// file, line and the known ones; so is a file that cannot be read or is no TOML.
void declare_config(Options& flags, std::string& path);

}  // namespace twofold::cli
