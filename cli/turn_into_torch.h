#pragma once

#include <string>

namespace twofold::cli {

/// Replaces this process by twofold-torch, which lies beside it, with the same arguments; returns why that
/// failed.
std::string turn_into_torch(char** argv);

}  // namespace twofold::cli
