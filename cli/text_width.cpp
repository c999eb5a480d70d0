#include "cli/text_width.h"

#include <algorithm>

namespace twofold::cli {
namespace {

// Plain letters: a terminal may know no others.
constexpr const char* kLeftOut = "..";
constexpr std::size_t kLeftOutWidth = 2;

// Bytes that go on a UTF-8 letter, 10xxxxxx, take no place of their own.
bool starts_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// Where the letter of that number begins; the end if there are fewer.
std::size_t letter_at(const std::string& text, std::size_t number) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (starts_letter(text[i]) && number-- == 0) return i;
  return text.size();
}

}  // namespace

std::size_t text_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_letter));
}

std::string cut_end(const std::string& text, std::size_t columns) {
  if (text_width(text) <= columns) return text;
  if (columns <= kLeftOutWidth) return text.substr(0, letter_at(text, columns));
  return text.substr(0, letter_at(text, columns - kLeftOutWidth)) + kLeftOut;
}

std::string cut_front(const std::string& text, std::size_t columns) {
  const std::size_t width = text_width(text);
  if (width <= columns) return text;
  if (columns <= kLeftOutWidth) return text.substr(letter_at(text, width - columns));
  return kLeftOut + text.substr(letter_at(text, width - columns + kLeftOutWidth));
}

}  // namespace twofold::cli
