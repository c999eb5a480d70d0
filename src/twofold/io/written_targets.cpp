#include "twofold/io/written_targets.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "twofold/base/error.h"

namespace twofold::io {
namespace {

template <typename T>
std::optional<T> whole_number(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

WrittenTarget parse_target(std::string_view word) {
  if (word == "?") return {};
  const std::string text(word);
  if (const auto integer = whole_number<std::int64_t>(word))
    return {WrittenTarget::kInteger, text, static_cast<double>(*integer)};
  if (const auto real = whole_number<double>(word); real && std::isfinite(*real))
    return {WrittenTarget::kReal, text, *real};
  return {WrittenTarget::kText, text, 0};
}

void set_written(ItemTargets& targets, std::vector<WrittenTarget> written) {
  bool has_text = false, has_real = false;
  for (const WrittenTarget& target : written) {
    has_text = has_text || target.kind == WrittenTarget::kText;
    has_real = has_real || target.kind == WrittenTarget::kReal;
  }
  for (WrittenTarget& target : written)
    if (has_text && has_real && target.kind == WrittenTarget::kReal) target.kind = WrittenTarget::kText;
  targets.set(written);
}

std::string target_word(const ItemTargets& targets, std::size_t item, const std::string& source) {
  if (!targets.is_known(item)) return "?";
  if (!targets.has_classes()) {
    std::string text = fmt::format("{}", targets.values[item]);
    // A whole number would be a class.
    if (whole_number<std::int64_t>(text)) text += ".0";
    return text;
  }
  const std::string& name = targets.class_names[targets.class_of[item]];
  if (name.empty() || name == "?" || name.find_first_of(" \t\r\n") != std::string::npos)
    throw InputError(
        fmt::format("{}: needed classes of nodes that are one word, found {}", source, in_quotes(name)));
  return name;
}

}  // namespace twofold::io
