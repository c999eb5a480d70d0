#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace twofold::cli {

/// Replaces this process by twofold-learn, which lies beside this program, with the same arguments.
/// Sets the threads of BLAS and OpenMP to one first, unless the user has set them: they must stand in the
/// environment before libtorch is loaded. Returns only if that fails, with the reason.
std::string turn_into_learn(char** argv);

}  // namespace twofold::cli
