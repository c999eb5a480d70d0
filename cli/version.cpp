#include "cli/version.h"

#include "build_commit.h"

namespace twofold::cli {

std::string version_line() { return "twofold " TWOFOLD_VERSION " (commit " TWOFOLD_COMMIT ")"; }

std::string version_number() { return TWOFOLD_VERSION; }

std::string build_commit() { return TWOFOLD_COMMIT; }

}  // namespace twofold::cli
