#include "twofold/base/error.h"

#include <cstring>
#include <string_view>

namespace twofold {

void throw_input_error(const std::string& source, std::size_t line, const std::string& needed,
                       const std::string& found) {
  const std::string place = line == 0 ? source : fmt::format("{}:{}", source, line);
  throw InputError(fmt::format("{}: needed {}, found {}", place, needed, found));
}

void throw_check_error(const char* condition, const char* file, int line, const std::string& message) {
  // Only the path below src/ is the reader's business, not where the tree lay when it was built.
  std::string_view place = file;
  if (const auto at = place.rfind("twofold/"); at != std::string_view::npos) place.remove_prefix(at);
  throw CheckError(
      fmt::format("{}:{}: {} does not hold{}{}", place, line, condition, message.empty() ? "" : ": ", message));
}

std::string system_error_text(int code) {
  char buffer[128];
  return strerror_r(code, buffer, sizeof buffer);
}

std::string in_quotes(const std::string& text) {
  constexpr std::size_t kMost = 40;
  std::string out = "'";
  for (std::size_t i = 0; i < text.size() && i < kMost; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c > 0x7e)
      out += fmt::format("\\x{:02x}", c);
    else
      out += static_cast<char>(c);
  }
  if (text.size() > kMost) out += "…";
  return out + "'";
}

}  // namespace twofold
