#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twofold::io {

/// Reads numbers from a text in memory, line by line, and knows the place for its errors.
///
/// Blanks (space, tab) around values are skipped; lines end with \n or \r\n; blank lines at the end of the text
/// do not count. Everything else that is not asked for is an InputError `SOURCE:LINE: needed …, found …`.
class TextScanner {
 public:
  /// `source` is the file's name as the user knows it. The text must outlive the scanner. It may be a part of a
  /// file, of whole lines from number `line` on; only the last part has blank lines at its end that do not
  /// count.
  TextScanner(std::string_view text, std::string source, std::size_t line = 1, bool is_last = true);

  /// The line the next value stands on, from 1.
  std::size_t line() const { return line_; }
  const std::string& source() const { return source_; }
  /// True after the last line.
  bool at_end() const { return at_ == end_; }

  /// An integer in low…high; `what` names it for the error: `a node`.
  std::int64_t integer(const char* what, std::int64_t low, std::int64_t high);
  /// A finite real number.
  double real(const char* what);
  /// The same, or NaN for the word `nan` in any case.
  double real_or_nan(const char* what);
  /// What stands up to the next blank or the end of the line, at least one character.
  std::string_view word(const char* what);
  /// Skips a comma, which must be there.
  void comma();
  /// True, and the comma skipped, if one comes next.
  bool skip_comma();
  /// Goes to the next line; this one must have no more values.
  void end_line();

  /// The error for what comes next.
  [[noreturn]] void fail(const std::string& needed) const;

 private:
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }
  std::string next_token() const;

  const char* at_;
  const char* end_;
  std::size_t line_;
  std::string source_;
};

}  // namespace twofold::io
