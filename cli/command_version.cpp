#include "cli/command_version.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/version.h"

namespace twofold::cli {

void declare_version(Options& flags, VersionOptions& options) {
  flags.add_flag("--verbose", options.verbose,
                 "Also the versions of libtorch and BLAS and the SIMD level in use");
  declare_json(flags, options.json);
  flags.footer(R"(
Examples:
  twofold version
  twofold version --verbose --json)");
}

int run_version(const VersionOptions& options, std::ostream& out, std::ostream&) {
  if (options.verbose) return kTurnIntoLearn;
  if (options.json)
    out << nlohmann::ordered_json{{"version", version_line()}}.dump() << '\n';
  else
    fmt::print(out, "{}\n", version_line());
  return 0;
}

}  // namespace twofold::cli
