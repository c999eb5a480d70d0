#include "twofold/graph/power_radius.h"

#include <charconv>
#include <limits>

#include "twofold/base/error.h"

namespace twofold::graph {
namespace {

constexpr const char* kNeed = "needed a radius of 1, 2, … or all";

bool in_range(std::int64_t r) { return r >= 1 && r <= std::numeric_limits<std::int32_t>::max(); }

}  // namespace

PowerRadius::PowerRadius(std::int64_t r) : steps_(static_cast<std::uint32_t>(r)) {
  if (!in_range(r)) throw UsageError(fmt::format("{}, found {}", kNeed, r));
}

PowerRadius PowerRadius::all() { return PowerRadius(); }

std::uint32_t PowerRadius::steps() const {
  TWOFOLD_CHECK(!is_all(), "the radius is all");
  return steps_;
}

PowerRadius parse_radius(const std::string& text) {
  if (text == "all") return PowerRadius::all();
  std::int64_t r = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, r);
  if (error != std::errc() || stop != end || text[0] == '0' || !in_range(r))
    throw UsageError(fmt::format("{}, found {}", kNeed, in_quotes(text)));
  return PowerRadius(r);
}

std::string to_string(PowerRadius radius) {
  return radius.is_all() ? "all" : fmt::format("{}", radius.steps());
}

}  // namespace twofold::graph
