#include "twofold/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "twofold/base/error.h"
#include "twofold/base/failure.h"
#include "twofold/base/memory_limit.h"

namespace twofold {
std::uint64_t parse_bytes(const std::string& text) {
  const auto refuse = [&]() -> std::uint64_t {
    throw UsageError(fmt::format("needed a size such as 512M, 8G or 1.5GiB, found {}", in_quotes(text)));
  };
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0]))) return refuse();
  // Digits and one point only: strtod would also take 0x10, 1e9 and nan.
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  char* end = nullptr;
  const std::string number_text = text.substr(0, digits);
  const double number = std::strtod(number_text.c_str(), &end);
  if (*end != '\0') return refuse();
  std::string unit = text.substr(digits);
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    const std::string prefixes = "KMGT";
    const auto power = prefixes.find(unit[0]);
    const std::string rest = unit.substr(1);
    if (power == std::string::npos || (!rest.empty() && rest != "B" && rest != "IB")) return refuse();
    factor = std::pow(1024.0, static_cast<double>(power + 1));
  }
  const double bytes = number * factor;
  if (!(bytes < 0x1p63)) return refuse();
  return static_cast<std::uint64_t>(bytes);
}

std::string format_bytes(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 6) {
    value /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes);
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, kUnits[unit]);
}

std::uint64_t available_memory() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  std::uint64_t limit = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  limit = std::min(limit, control_group_limit());
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit of_process{};
    if (getrlimit(resource, &of_process) == 0 && of_process.rlim_cur != RLIM_INFINITY)
      limit = std::min<std::uint64_t>(limit, of_process.rlim_cur);
  }
  return limit;
}

std::uint64_t resolve_memory_limit(std::uint64_t max_memory) {
  if (const std::optional<std::uint64_t> whole = memory_limit()) {
    const std::uint64_t left = *whole - std::min(*whole, used_memory());
    return max_memory > 0 ? std::min(max_memory, left) : left;
  }
  return max_memory > 0 ? max_memory : available_memory() / 10 * 9;
}

void require_memory(const std::string& what, std::uint64_t need, std::uint64_t limit) {
  if (need <= limit) return;
  const std::uint64_t whole = std::max(limit, memory_limit().value_or(limit));
  const std::string beside =
      need <= whole ? fmt::format(" beside the {} in use", format_bytes(used_memory())) : "";
  throw MemoryError(fmt::format("{} needs {} of memory{}, the limit is {} (--max-memory)", what,
                                format_bytes(need), beside, format_bytes(whole)));
}

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace twofold
