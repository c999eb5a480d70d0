#pragma once

#include <string>
#include <vector>

#include "cli/command_evaluate.h"

namespace twofold::cli {

/// The command of one of the processes that share an evaluation's tasks (--jobs): this program on the same
/// dataset, with its part of the memory. Throws Error where memory does not suffice for all of them.
std::vector<std::string> worker_command(const EvaluateOptions& options);

}  // namespace twofold::cli
