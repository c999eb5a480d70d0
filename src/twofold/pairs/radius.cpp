#include "twofold/pairs/radius.h"

#include <charconv>
#include <limits>

#include "twofold/base/error.h"

namespace twofold::pairs {
namespace {

constexpr const char* kNeed = "a radius must be a whole number from 1 on, or all";

}  // namespace

Radius::Radius(std::int64_t r) : steps_(static_cast<std::uint32_t>(r)) {
  if (r < 1 || r > std::numeric_limits<std::int32_t>::max())
    throw UsageError(fmt::format("{}, found {}", kNeed, r));
}

Radius Radius::all() { return Radius(); }

std::uint32_t Radius::steps() const {
  TWOFOLD_CHECK(!is_all(), "the radius is all");
  return steps_;
}

Radius parse_radius(const std::string& text) {
  if (text == "all") return Radius::all();
  std::int64_t r = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, r);
  if (error != std::errc() || stop != end)
    throw UsageError(fmt::format("{}, found {}", kNeed, in_quotes(text)));
  return Radius(r);
}

std::string to_string(Radius radius) { return radius.is_all() ? "all" : fmt::format("{}", radius.steps()); }

}  // namespace twofold::pairs
