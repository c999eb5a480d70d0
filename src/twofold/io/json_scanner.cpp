#include "twofold/io/json_scanner.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "twofold/base/error.h"

namespace twofold::io {
namespace {

bool is_digit(char c) { return static_cast<unsigned>(c - '0') < 10; }

// Length of the valid UTF-8 sequence that starts at `at`, 0 if there is none (overlong forms and surrogates
// included).
std::size_t utf8_length(const char* at, const char* end) {
  const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(at[i]); };
  const auto left = static_cast<std::size_t>(end - at);
  const auto goes_on = [&](std::size_t i) { return i < left && (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return goes_on(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    if (!goes_on(1) || !goes_on(2)) return 0;
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0)) return 0;
    return 3;
  }
  if (first >= 0xf0 && first < 0xf5) {
    if (!goes_on(1) || !goes_on(2) || !goes_on(3)) return 0;
    if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90)) return 0;
    return 4;
  }
  return 0;
}

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0u | (code >> 6));
    put(0x80u | (code & 0x3fu));
  } else if (code < 0x10000) {
    put(0xe0u | (code >> 12));
    put(0x80u | ((code >> 6) & 0x3fu));
    put(0x80u | (code & 0x3fu));
  } else {
    put(0xf0u | (code >> 18));
    put(0x80u | ((code >> 12) & 0x3fu));
    put(0x80u | ((code >> 6) & 0x3fu));
    put(0x80u | (code & 0x3fu));
  }
}

}  // namespace

JsonScanner::JsonScanner(std::string_view text, const std::string& source, std::size_t line)
    : start_(text.data()), at_(start_), end_(start_ + text.size()), source_(source), line_(line) {}

char JsonScanner::peek() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  return at_ == end_ ? '\0' : *at_;
}

void JsonScanner::fail(const std::string& needed, const std::string& found) const {
  throw_input_error(source_, line_, needed, found);
}

void JsonScanner::fail_syntax() const {
  if (at_ == end_) fail("a JSON object", at_ == start_ ? "an empty line" : "the end of the line");
  const std::string near(at_, end_ - at_ > 60 ? 60 : static_cast<std::size_t>(end_ - at_));
  fail("a JSON object", fmt::format("a syntax error at byte {}: {}", at_ - start_ + 1, in_quotes(near)));
}

bool JsonScanner::skip_null() {
  constexpr std::string_view kNull = "null";
  if (peek() != 'n' || std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, 4) != kNull)
    return false;
  at_ += kNull.size();
  return true;
}

void JsonScanner::expect(char c) {
  if (!skip(c)) fail_syntax();
}

void JsonScanner::end() {
  peek();
  if (at_ != end_) fail_syntax();
}

unsigned JsonScanner::hex4() {
  unsigned value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    if (at_ == end_) fail_syntax();
    const char c = *at_;
    if (is_digit(c))
      value = 16 * value + static_cast<unsigned>(c - '0');
    else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
      value = 16 * value + static_cast<unsigned>((c | 0x20) - 'a' + 10);
    else
      fail_syntax();
  }
  return value;
}

std::string JsonScanner::string() {
  expect('"');
  std::string result;
  for (;;) {
    if (at_ == end_ || static_cast<unsigned char>(*at_) < 0x20) fail_syntax();
    const char c = *at_;
    if (c == '"') {
      ++at_;
      return result;
    }
    if (c != '\\') {
      const std::size_t length = utf8_length(at_, end_);
      if (length == 0) fail_syntax();
      result.append(at_, length);
      at_ += length;
      continue;
    }
    if (++at_ == end_) fail_syntax();
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (const auto which = kEscapes.find(*at_); which != std::string_view::npos) {
      result += kMeanings[which];
      ++at_;
      continue;
    }
    if (*at_ != 'u') fail_syntax();
    ++at_;
    unsigned code = hex4();
    if (code >= 0xdc00 && code < 0xe000) fail_syntax();
    if (code >= 0xd800 && code < 0xdc00) {
      if (end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u') fail_syntax();
      at_ += 2;
      const unsigned low = hex4();
      if (low < 0xdc00 || low >= 0xe000) fail_syntax();
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    append_utf8(result, code);
  }
}

bool JsonScanner::number(JsonNumber& result) {
  const char first = peek();
  if (!is_digit(first) && first != '-') return false;
  const char* const begin = at_;
  const bool negative = first == '-';
  if (negative) ++at_;
  const char* const digits = at_;
  std::int64_t value = 0;
  while (at_ != end_ && is_digit(*at_) && at_ - digits < 18) value = 10 * value + (*at_++ - '0');
  bool small = true;
  while (at_ != end_ && is_digit(*at_)) {
    small = false;
    ++at_;
  }
  if (at_ == digits || (*digits == '0' && at_ - digits > 1)) fail_syntax();
  bool whole = true;
  if (at_ != end_ && *at_ == '.') {
    whole = false;
    const char* const fraction = ++at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    if (at_ == fraction) fail_syntax();
  }
  if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
    whole = false;
    ++at_;
    if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    const char* const exponent = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    if (at_ == exponent) fail_syntax();
  }
  result.text = {begin, static_cast<std::size_t>(at_ - begin)};
  result.is_integer = whole && small;
  if (result.is_integer) {
    result.integer = negative ? -value : value;
    result.real = static_cast<double>(result.integer);
  } else {
    // from_chars gives no value outside a double's range; strtod then tells too small, 0, from too large,
    // infinite.
    const auto [stop, error] = std::from_chars(begin, at_, result.real);
    if (error != std::errc() || stop != at_)
      result.real = std::strtod(std::string(result.text).c_str(), nullptr);
  }
  return true;
}

std::string JsonScanner::next_value() {
  JsonNumber value;
  switch (peek()) {
    case '{':
      return "an object";
    case '[':
      return "an array";
    case '"':
      return in_quotes(string());
    default:
      break;
  }
  for (const std::string_view word : {"null", "true", "false"})
    if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, word.size()) == word)
      return std::string(word);
  if (number(value)) return std::string(value.text);
  fail_syntax();
}

}  // namespace twofold::io
