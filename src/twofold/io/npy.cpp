#include "twofold/io/npy.h"

#include <cctype>
#include <cstdint>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/io/pickled_strings.h"

namespace twofold::io {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
// Longer headers are not written for arrays of strings.
constexpr std::size_t kLongestNpyHeader = 1 << 16;

struct NpyHeader {
  char kind = 'S';  // S, U, or O: Python objects
  bool is_big_endian = false;
  std::size_t letters = 0;  // of a string
  std::size_t count = 1;    // of strings
};

std::uint64_t npy_length(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// The Python dictionary in front of the values: {'descr': '|S12', 'fortran_order': False, 'shape': (400,), }
class NpyHeaderScanner {
 public:
  NpyHeaderScanner(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  NpyHeader scan() {
    NpyHeader header;
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    bool is_fortran = false;
    std::size_t num_axes = 0;
    take('{');
    while (peek() != '}') {
      const std::string_view key = quoted();
      take(':');
      if (key == "descr" && !has_type) {
        has_type = true;
        scan_type(header);
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        const std::string_view word = letters();
        if (word != "True" && word != "False") fail("True or False behind 'fortran_order'");
        is_fortran = word == "True";
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        num_axes = scan_shape(header);
      } else {
        fail("the keys 'descr', 'fortran_order' and 'shape', once each");
      }
      if (peek() != '}') take(',');
    }
    take('}');
    if (!has_type || !has_order || !has_shape) fail("the keys 'descr', 'fortran_order' and 'shape'");
    if (is_fortran && num_axes > 1)
      throw_input_error(source_, 0, "an array in C order (row by row)", "one in Fortran order");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& needed) const {
    throw_input_error(source_, 0, "a header of a .npy file with " + needed,
                      in_quotes(std::string(text_.substr(0, 200))));
  }
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take(char letter) {
    if (peek() != letter) fail(fmt::format("'{}' at byte {}", letter, at_));
    ++at_;
  }
  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("a word in quotes");
    const std::size_t first = ++at_;
    while (at_ < text_.size() && text_[at_] != quote) ++at_;
    if (at_ == text_.size()) fail("a word in quotes");
    return text_.substr(first, at_++ - first);
  }
  std::string_view letters() {
    peek();
    const std::size_t first = at_;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(first, at_ - first);
  }
  std::size_t number() {
    peek();
    const std::size_t first = at_;
    std::size_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      if (value > (std::size_t{1} << 40)) fail("numbers below 2^40");
      value = 10 * value + static_cast<std::size_t>(text_[at_] - '0');
    }
    if (at_ == first) fail("a number");
    return value;
  }
  std::size_t scan_shape(NpyHeader& header) {
    std::size_t axes = 0;
    take('(');
    while (peek() != ')') {
      const std::size_t size = number();
      if (size != 0 && header.count > (std::size_t{1} << 40) / size) fail("fewer than 2^40 values");
      header.count *= size;
      ++axes;
      if (peek() != ')') take(',');
    }
    take(')');
    return axes;
  }
  void scan_type(NpyHeader& header) {
    if (peek() == '[') throw_input_error(source_, 0, "an array of strings", "records");
    std::string_view type = quoted();
    const std::string found = "values of type " + in_quotes(std::string(type));
    if (!type.empty() && (type[0] == '<' || type[0] == '>' || type[0] == '|' || type[0] == '=')) {
      header.is_big_endian = type[0] == '>';
      type.remove_prefix(1);
    }
    if (type == "O" || type == "O8") {
      header.kind = 'O';
      return;
    }
    if (type.empty() || (type[0] != 'S' && type[0] != 'U' && type[0] != 'a'))
      throw_input_error(source_, 0, "an array of strings", found);
    header.kind = type[0] == 'U' ? 'U' : 'S';
    type.remove_prefix(1);
    if (type.empty() || type.size() > 9) throw_input_error(source_, 0, "an array of strings", found);
    for (const char digit : type) {
      if (!std::isdigit(static_cast<unsigned char>(digit)))
        throw_input_error(source_, 0, "an array of strings", found);
      header.letters = 10 * header.letters + static_cast<std::size_t>(digit - '0');
    }
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
};

// Makes one line of what begins at `first`.
void end_line(std::string& lines, std::size_t first, std::size_t number, const std::string& source) {
  // Strings are filled up with zeros; a line end may have been saved with a graph.
  while (lines.size() > first && (lines.back() == '\0' || lines.back() == '\n' || lines.back() == '\r'))
    lines.pop_back();
  if (lines.size() == first || lines.find_first_of("\n\r", first) != std::string::npos)
    throw_input_error(source, number, "one graph", lines.size() == first ? "an empty string" : "several lines");
  // The header of graph6 may be saved with each graph, but stands only before the first line of a file.
  constexpr std::string_view kGraph6Header = ">>graph6<<";
  if (lines.compare(first, kGraph6Header.size(), kGraph6Header) == 0) lines.erase(first, kGraph6Header.size());
  lines.push_back('\n');
}

}  // namespace

bool looks_like_npy(std::string_view content) { return content.substr(0, kNpyMagic.size()) == kNpyMagic; }

std::string read_npy_lines(std::string_view content, const std::string& source) {
  if (!looks_like_npy(content) || content.size() < 10)
    throw_input_error(source, 0, "a .npy file", "another or a shortened one");
  const int version = static_cast<unsigned char>(content[6]);
  if (version < 1 || version > 3)
    throw_input_error(source, 0, "a .npy file of version 1 to 3", fmt::format("version {}", version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (content.size() < 8 + length_bytes) throw_input_error(source, 0, "a .npy file", "a shortened one");
  const std::uint64_t length = npy_length(content.substr(8, length_bytes));
  const std::size_t start = 8 + length_bytes;
  if (length > kLongestNpyHeader || length > content.size() - start)
    throw_input_error(source, 0, "a .npy file", "a shortened one");
  const NpyHeader header = NpyHeaderScanner(content.substr(start, length), source).scan();

  const std::string_view values = content.substr(start + length);
  std::string lines;
  if (header.kind == 'O') {
    std::size_t number = 0;
    for (const std::string_view text : read_pickled_strings(values, header.count, source)) {
      lines.append(text);
      end_line(lines, lines.size() - text.size(), ++number, source);
    }
    return lines;
  }
  const std::size_t letter_bytes = header.kind == 'U' ? 4 : 1;
  if (header.letters == 0 || header.letters > (std::size_t{1} << 20))
    throw_input_error(source, 0, "strings of 1 to 2^20 letters", fmt::format("{}", header.letters));
  const std::uint64_t need = header.count * header.letters * letter_bytes;  // below 2^62
  if (need != values.size())
    throw_input_error(source, 0, fmt::format("{} bytes of strings, as the header says", need),
                      fmt::format("{}", values.size()));
  lines.reserve(values.size() / letter_bytes + header.count);
  const std::size_t step = header.letters * letter_bytes;
  for (std::size_t i = 0; i < header.count; ++i) {
    const std::size_t first_of_line = lines.size();
    for (std::size_t at = i * step; at < (i + 1) * step; at += letter_bytes) {
      const std::size_t low = header.kind == 'U' && header.is_big_endian ? at + 3 : at;
      for (std::size_t b = at; b < at + letter_bytes; ++b)
        if (b != low && values[b] != 0) throw_input_error(source, i + 1, "ASCII letters", "another letter");
      lines.push_back(values[low]);
    }
    end_line(lines, first_of_line, i + 1, source);
  }
  return lines;
}

}  // namespace twofold::io
