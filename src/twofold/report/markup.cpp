#include "twofold/report/markup.h"

namespace twofold::report {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

unsigned byte_at(const std::string& text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// How many bytes the character that begins at i has; 0 if none does.
std::size_t character_length(const std::string& text, std::size_t i) {
  const unsigned first = byte_at(text, i);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : (first & 0xF0) == 0xE0         ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  unsigned code = first & (length == 2 ? 0x1Fu : length == 3 ? 0x0Fu : 0x07u);
  for (std::size_t k = 1; k < length; ++k) {
    const unsigned next = byte_at(text, i + k);
    if ((next & 0xC0) != 0x80) return 0;
    code = code << 6 | (next & 0x3F);
  }
  // Too long a form, half of a UTF-16 pair, not a character, beyond Unicode.
  if (length == 3 && (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF) || code >= 0xFFFE)) return 0;
  if (length == 4 && (code < 0x10000 || code > 0x10FFFF)) return 0;
  return length;
}

}  // namespace

std::string clean_text(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    const unsigned first = byte_at(text, i);
    if (length == 0 || first < 0x20 || first == 0x7F)
      result += kReplacement;
    else
      result.append(text, i, length);
    i += length == 0 ? 1 : length;
  }
  return result;
}

std::string escape_markup(const std::string& text) {
  std::string result;
  for (const char c : clean_text(text)) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\'')
      result += "&#39;";
    else
      result += c;
  }
  return result;
}

}  // namespace twofold::report
