#include "twofold/base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace twofold {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Of a letter whose bytes are known to be right.
std::uint32_t code_point(std::string_view letter) {
  if (letter.size() == 1) return byte_at(letter, 0);
  std::uint32_t code = byte_at(letter, 0) & (0xffu >> (letter.size() + 1));
  for (std::size_t i = 1; i < letter.size(); ++i) code = code << 6 | (byte_at(letter, i) & 0x3fu);
  return code;
}

// What has no shape of its own but changes how others look: controls (C0, DEL, C1), line separators, marks
// that reorder text (bidirectional overrides and isolates), and letters of no width, which hide differences.
bool is_hidden(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c || code == 0x180e ||
         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code >= 0xe0000 && code <= 0xe007f);
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || length > text.size()) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte_at(text, 0));
      text.remove_prefix(1);
      continue;
    }
    const std::string_view letter = text.substr(0, length);
    const std::uint32_t code = code_point(letter);
    if (!is_hidden(code) || (length == 1 && kept.find(letter[0]) != std::string_view::npos))
      out += letter;
    else if (code < 0x10000)
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
    else  // as JSON does, in two halves
      fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xd7c0 + (code >> 10),
                     0xdc00 + (code & 0x3ff));
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first <= 0xdf   ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  // The second byte rules out letters in too many bytes, halves of surrogates, and codes beyond Unicode.
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  for (std::size_t i = 1; i < std::min(length, text.size()); ++i) {
    const unsigned byte = byte_at(text, i);
    if (byte < (i == 1 ? low : 0x80u) || byte > (i == 1 ? high : 0xbfu)) return 0;
  }
  return length;
}

std::string printable(std::string_view text) { return escaped(text, ""); }

std::string printable_lines(std::string_view text) { return escaped(text, "\n\t"); }

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t letters = 0; at < text.size(); ++letters) {
    if (letters == most) return std::string(text.substr(0, at)) + "…";
    const std::size_t length = utf8_length(text.substr(at));
    at += length == 0 ? 1 : std::min(length, text.size() - at);
  }
  return std::string(text);
}

}  // namespace twofold
