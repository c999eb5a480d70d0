#include "cli/version.h"

#include "build_commit.h"

namespace twofold::cli {

std::string version_line() { return "twofold " TWOFOLD_VERSION " (commit " TWOFOLD_COMMIT ")"; }

}  // namespace twofold::cli
