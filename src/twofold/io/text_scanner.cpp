#include "twofold/io/text_scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include "twofold/base/error.h"

namespace twofold::io {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

TextScanner::TextScanner(std::string_view text, std::string source, std::size_t line, bool is_last)
    : at_(text.data()), end_(text.data() + text.size()), line_(line), source_(std::move(source)) {
  while (is_last && end_ != at_ && is_space(end_[-1])) --end_;
}

std::string TextScanner::next_token() const {
  if (at_ == end_) return "the end of the file";
  const char* stop = at_;
  while (stop != end_ && *stop != '\n' && *stop != '\r' && stop - at_ < 60) ++stop;
  if (stop == at_) return "the end of the line";
  return in_quotes(std::string(at_, stop));
}

void TextScanner::fail(const std::string& needed) const {
  throw_input_error(source_, line_, needed, next_token());
}

std::string_view TextScanner::word(const char* what) {
  skip_blanks();
  const char* const start = at_;
  while (at_ != end_ && !is_space(*at_)) ++at_;
  if (at_ == start) fail(what);
  return {start, static_cast<std::size_t>(at_ - start)};
}

std::int64_t TextScanner::integer(const char* what, std::int64_t low, std::int64_t high) {
  skip_blanks();
  const char* const start = at_;
  const auto refuse = [&] {
    at_ = start;
    fail(fmt::format("{} in {}..{}", what, low, high));
  };
  const bool negative = at_ != end_ && *at_ == '-';
  if (negative || (at_ != end_ && *at_ == '+')) ++at_;
  const char* const digits = at_;
  std::int64_t value = 0;
  // Nineteen digits could overflow; no value of ours has that many.
  for (; at_ != end_ && static_cast<unsigned>(*at_ - '0') < 10; ++at_) {
    if (at_ - digits >= 18) refuse();
    value = value * 10 + (*at_ - '0');
  }
  if (at_ == digits) refuse();
  // A number ends with its line, a blank or a comma: "3x" and "1.5" are no integers.
  if (at_ != end_ && !is_space(*at_) && *at_ != ',') refuse();
  if (negative) value = -value;
  if (value < low || value > high) refuse();
  return value;
}

double TextScanner::real_or_nan(const char* what) {
  skip_blanks();
  constexpr std::size_t kLength = 3;
  const std::string_view word(at_, std::min<std::size_t>(kLength, static_cast<std::size_t>(end_ - at_)));
  const char* const after = at_ + word.size();
  const auto lower = [&](std::size_t i) { return static_cast<char>(word[i] | 0x20); };
  if (word.size() < kLength || lower(0) != 'n' || lower(1) != 'a' || lower(2) != 'n' ||
      (after != end_ && !is_space(*after) && *after != ','))
    return real(what);
  at_ = after;
  return std::numeric_limits<double>::quiet_NaN();
}

double TextScanner::real(const char* what) {
  skip_blanks();
  const char* const start = at_;
  const char* digits = at_;
  if (digits != end_ && *digits == '+') ++digits;
  double value = 0;
  const auto [stop, error] = std::from_chars(digits, end_, value);
  // from_chars gives no value for one outside a double's range. Too small is zero to us, too large is refused.
  const bool tiny = error == std::errc::result_out_of_range &&
                    std::abs(std::strtod(std::string(digits, stop).c_str(), nullptr)) < 1;
  const bool ends = stop == end_ || is_space(*stop) || *stop == ',';
  if ((error != std::errc() && !tiny) || !ends || !std::isfinite(value)) {
    at_ = start;
    fail(std::string(what) + ", a finite number");
  }
  at_ = stop;
  return value;
}

void TextScanner::comma() {
  if (!skip_comma()) fail("a comma");
}

bool TextScanner::skip_comma() {
  skip_blanks();
  if (at_ == end_ || *at_ != ',') return false;
  ++at_;
  return true;
}

void TextScanner::end_line() {
  skip_blanks();
  if (at_ != end_ && *at_ == '\r') ++at_;
  if (at_ == end_) {
    ++line_;
    return;
  }
  if (*at_ != '\n') fail("the end of the line");
  ++at_;
  ++line_;
}

}  // namespace twofold::io
