#include "twofold/io/csv_table.h"

#include <algorithm>
#include <cctype>

#include "twofold/base/error.h"
#include "twofold/base/printable.h"

namespace twofold::io {
namespace {

std::string_view without_mark(std::string_view text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" ? text.substr(3) : text;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

char separator_of(std::string_view text) {
  std::size_t counts[3] = {};
  constexpr std::string_view kSeparators = ",;\t";
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '\n') break;
    if (const auto at = kSeparators.find(c); at != std::string_view::npos) ++counts[at];
  }
  return kSeparators[static_cast<std::size_t>(std::max_element(counts, counts + 3) - counts)];
}

// One row after the other.
class CsvScanner {
 public:
  CsvScanner(std::string_view text, const std::string& source)
      : text_(without_mark(text)), source_(source), separator_(separator_of(text_)) {}

  std::size_t line() const { return row_line_; }

  // False at the end.
  bool next(std::vector<std::string>& cells) {
    while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) line_ += text_[at_++] == '\n';
    if (at_ == text_.size()) return false;
    row_line_ = line_;
    cells.clear();
    do {
      cells.push_back(cell());
    } while (skip(separator_));
    skip('\r');
    if (!skip('\n') && at_ < text_.size())
      fail(line_, "a separator or the end of the line after a cell",
           in_quotes(std::string(text_.substr(at_, 1))));
    ++line_;
    return true;
  }

 private:
  bool skip(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string cell() {
    if (!skip('"')) {
      const std::size_t start = at_;
      while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
      // A carriage return alone is part of the cell.
      while (at_ < text_.size() && text_[at_] == '\r' && text_.substr(at_, 2) != "\r\n" &&
             at_ + 1 < text_.size())
        ++at_;
      return checked(text_.substr(start, at_ - start));
    }
    const std::size_t start = line_;
    std::string value;
    while (true) {
      if (at_ == text_.size()) fail(start, "a closing quote", "the end of the file");
      const char c = text_[at_++];
      if (c == '"' && !skip('"')) return checked(value);
      line_ += c == '\n';
      value += c;
    }
  }

  std::string checked(std::string_view cell) const {
    for (std::size_t i = 0; i < cell.size();) {
      const std::size_t length = utf8_length(cell.substr(i));
      if (length == 0 || cell[i] == '\0') fail(line_, "text in UTF-8", printable(std::string(cell)));
      i += length;
    }
    return std::string(cell);
  }

  [[noreturn]] void fail(std::size_t line, const std::string& needed, const std::string& found) const {
    throw_input_error(source_, line, needed, found);
  }

  std::string_view text_;
  const std::string& source_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t row_line_ = 1;
};

std::string trimmed(const std::string& text) {
  const auto start = text.find_first_not_of(" \t");
  return start == std::string::npos ? "" : text.substr(start, text.find_last_not_of(" \t") + 1 - start);
}

}  // namespace

std::size_t CsvTable::find(std::string_view name) const {
  const auto same = [&](const std::string& other) { return same_word(name, other); };
  const auto exact = std::find(header.begin(), header.end(), name);
  const auto found = exact != header.end() ? exact : std::find_if(header.begin(), header.end(), same);
  return static_cast<std::size_t>(found - header.begin());
}

CsvTable read_csv(std::string_view text, const std::string& source) {
  CsvScanner scan(text, source);
  CsvTable table;
  if (!scan.next(table.header)) throw_input_error(source, 0, "a header with the names of the columns", "none");
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    std::string& name = table.header[c] = trimmed(table.header[c]);
    // The column of row numbers that pandas writes has no name.
    if (name.empty() && c > 0)
      throw_input_error(source, scan.line(), "a name for every column",
                        fmt::format("none for column {}", c + 1));
    if (std::find(table.header.begin(), table.header.begin() + static_cast<std::ptrdiff_t>(c), name) !=
        table.header.begin() + static_cast<std::ptrdiff_t>(c))
      throw_input_error(source, scan.line(), "each column's name once", in_quotes(name) + " twice");
  }
  std::vector<std::string> cells;
  while (scan.next(cells)) {
    if (cells.size() != table.header.size())
      throw_input_error(source, scan.line(), fmt::format("{} cells, as in the header", table.header.size()),
                        fmt::format("{}", cells.size()));
    table.rows.push_back(cells);
    table.lines.push_back(scan.line());
  }
  return table;
}

std::vector<std::string> csv_header(std::string_view text) {
  text = without_mark(text);
  const std::string first(text.substr(0, std::min(text.find('\n'), text.size())));
  try {
    return read_csv(first, "").header;
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace twofold::io
