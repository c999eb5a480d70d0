#pragma once

#include <string>

namespace twofold::cli {

/// `twofold 0.1.0 (commit 0123456789ab)`.
std::string version_line();

}  // namespace twofold::cli
