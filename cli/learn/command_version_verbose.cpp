#include "cli/learn/command_version_verbose.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <fmt/ostream.h>
#include <torch/version.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/version.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/base/simd.h"
#include "twofold/train/library_versions.h"

namespace twofold::cli {
int run_version_verbose(const VersionOptions& options, std::ostream& out, std::ostream&) {
  const nlohmann::ordered_json facts = {
      {"version", version_line()},    {"libtorch", TORCH_VERSION},
      {"blas", train::blas_in_use()}, {"torch_threads", at::get_num_threads()},
      {"simd", simd_level()},         {"compiler", "g++ " __VERSION__},
      {"cores", available_threads()}, {"memory_bytes", available_memory()},
  };
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

}  // namespace twofold::cli
