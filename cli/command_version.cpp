#include "cli/command_version.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/version.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/base/simd.h"
#include "twofold/train/library_versions.h"

namespace twofold::cli {
namespace {

// What twofold stands on, on this machine.
int print_facts(const VersionOptions& options, std::ostream& out) {
  nlohmann::ordered_json facts = {{"version", version_line()}};
  for (const auto& [name, version] : train::network_libraries()) facts[name] = version;
  facts["simd"] = simd_level();
  facts["compiler"] = "g++ " __VERSION__;
  facts["cores"] = available_threads();
  facts["memory_bytes"] = available_memory();
  if (options.json) {
    out << facts.dump() << '\n';
    return 0;
  }
  fmt::print(out, "{}\n", version_line());
  for (const auto& [key, value] : facts.items())
    if (key == "memory_bytes")
      fmt::print(out, "{:<14} {}\n", "memory", format_bytes(value.get<std::uint64_t>()));
    else if (key != "version")
      fmt::print(out, "{:<14} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  return 0;
}

}  // namespace

void declare_version(Options& flags, VersionOptions& options) {
  flags.add_flag("--verbose", options.verbose, "Also the versions of libraries and the SIMD level in use");
  declare_json(flags, options.json);
  flags.footer(R"(
Examples:
  twofold version
  twofold version --verbose --json)");
}

int run_version(const VersionOptions& options, std::ostream& out, std::ostream&) {
  if (options.verbose) return print_facts(options, out);
  if (options.json)
    out << nlohmann::ordered_json{{"version", version_line()}}.dump() << '\n';
  else
    fmt::print(out, "{}\n", version_line());
  return 0;
}

}  // namespace twofold::cli
