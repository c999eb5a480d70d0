#pragma once

#include <string>

#include "cli/options.h"

namespace twofold::cli {

/// What `--config FILE.toml` gave.
struct ConfigFile {
  std::string path;    // empty: none
  std::string tables;  // its text, if it has tables by model; those are for eval::make_grid
};

/// `--config FILE.toml`, in one of two forms: options by their long names, `lr = 0.01`, several values as a
/// list; or tables by model, as eval/grid.h has them. What the command line says goes first. Call after all
/// other options are declared. A key that is neither, both forms in one file, a file that cannot be read or is
/// no TOML is a UsageError naming file, line and what is known.
void declare_config(Options& flags, ConfigFile& config);

}  // namespace twofold::cli
