#pragma once

#include <string>

namespace twofold::cli {

/// `twofold 0.1.0 (commit 0123456789ab)`.
std::string version_line();
/// `0.1.0`.
std::string version_number();
/// The commit the program was built from, `unknown` outside of a checkout.
std::string build_commit();

}  // namespace twofold::cli
