#include "twofold/base/simd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>

#include "twofold/base/error.h"
#include "twofold/base/simd_targets.h"

// Behind the targets, which it reads.
#include <hwy/highway.h>
#include <hwy/targets.h>

namespace twofold {
namespace {

// Highway's targets are bits, the better one the lower.
std::vector<std::int64_t> bits_of(std::int64_t targets) {
  std::vector<std::int64_t> bits;
  for (; targets != 0; targets &= targets - 1) bits.push_back(targets & -targets);
  return bits;
}

std::string name_of(std::int64_t target) {
#if HWY_ARCH_X86
  // Highway's loops over plain arrays, which a compiler for x86-64 turns into SSE2.
  if (target == HWY_EMU128 || target == HWY_SCALAR) return "sse2";
#endif
  std::string name = hwy::TargetName(target);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::vector<std::string> names_of(std::int64_t targets) {
  std::vector<std::string> names;
  for (const std::int64_t target : bits_of(targets)) names.push_back(name_of(target));
  return names;
}

// As they were before use_simd_level took some away.
std::int64_t targets_of_this_cpu() {
  static const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets;
}

}  // namespace

std::vector<std::string> simd_build_levels() { return names_of(HWY_TARGETS); }

std::vector<std::string> simd_levels() { return names_of(targets_of_this_cpu()); }

std::string simd_level() { return names_of(hwy::SupportedTargets() & HWY_TARGETS).front(); }

void use_simd_level(const std::string& level, const std::string& source) {
  for (const std::int64_t target : bits_of(targets_of_this_cpu()))
    if (name_of(target) == level) return hwy::DisableTargets(target - 1);
  const std::vector<std::string> build = simd_build_levels();
  const bool is_lacking = std::find(build.begin(), build.end(), level) != build.end();
  throw UsageError(fmt::format("{}: needed one of {}, found {}{}", source, fmt::join(simd_levels(), ", "),
                               in_quotes(level), is_lacking ? ", which this CPU does not have" : ""));
}

void use_simd_level_of_environment() {
  const char* level = std::getenv("TWOFOLD_SIMD");
  if (level != nullptr && *level != '\0') use_simd_level(level, "TWOFOLD_SIMD");
}

}  // namespace twofold
