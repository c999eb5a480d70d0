#pragma once

#include <vector>

#include "cli/command.h"

namespace twofold::cli {

/// The commands of `twofold`, in the order --help shows them.
std::vector<Command> twofold_commands();

}  // namespace twofold::cli
