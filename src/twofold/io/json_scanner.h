#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twofold::io {

/// A number as it stood in the text.
struct JsonNumber {
  bool is_integer = false;   // no fraction, no exponent, fits 64 bits
  std::int64_t integer = 0;  // if so
  double real = 0;           // in any case; infinite if it is too large for a double
  std::string_view text;
};

/// Reads one JSON text piece by piece, for a caller who knows what should come: several times faster than a
/// parser that builds values or calls back for each. Strict: RFC 8259, valid UTF-8, nothing behind the value.
///
/// Whitespace before each piece is skipped. A piece that is not there is an InputError `SOURCE:LINE: needed …,
/// found …`.
class JsonScanner {
 public:
  /// Text and source must outlive the scanner. `line` is where the text stands in the source.
  JsonScanner(std::string_view text, const std::string& source, std::size_t line);

  /// The next character that is no whitespace; '\0' at the end.
  char peek();
  /// True, and it is skipped, if `c` comes next.
  bool skip(char c) {
    if (peek() != c || at_ == end_) return false;
    ++at_;
    return true;
  }
  /// True, and it is skipped, if null comes next.
  bool skip_null();
  /// Skips `c`, which must come.
  void expect(char c);
  /// A string, its escapes resolved.
  std::string string();
  /// True and the number, if one comes next.
  bool number(JsonNumber& result);
  /// Nothing but whitespace may be left.
  void end();

  /// What comes next, for an error: `an array`, `'text'`, `2.5`, `null`.
  std::string next_value();
  [[noreturn]] void fail(const std::string& needed, const std::string& found) const;
  /// The error for text that is no JSON.
  [[noreturn]] void fail_syntax() const;

 private:
  unsigned hex4();

  const char* start_;
  const char* at_;
  const char* end_;
  const std::string& source_;
  std::size_t line_;
};

}  // namespace twofold::io
