#include "twofold/record/toml_reader.h"

// toml++ 3.3 as a header of templates; its exceptions are turned into ours.
#include <toml++/toml.h>

#include <algorithm>
#include <string_view>

#include "twofold/base/error.h"

namespace twofold::record {
namespace {

[[noreturn]] void fail(const std::string& source, std::size_t line, const std::string& what) {
  throw UsageError(fmt::format("{}:{}: {}", source, line, what));
}

// Looks how deep a text goes before toml++ does, which recurses once per part of a dotted key, at the latest
// when the value is destroyed. Right for all TOML up to the first mistake; toml++ reads no further than that.
class DepthScan {
 public:
  DepthScan(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        skip_comment();
      else if (c == '"' || c == '\'')
        skip_text(c);
      else
        take(c);
    }
  }

 private:
  void take(char c) {
    ++at_;
    switch (c) {
      case '\n':
        ++line_;
        if (open_.empty()) {  // a key or a header comes next
          is_header_ = false;
          is_line_start_ = true;
          parts_ = 0;
        }
        return;
      case ' ':
      case '\t':
      case '\r':
        return;
      case '[':
        if (open_.empty() && is_line_start_) {
          is_line_start_ = false;
          is_header_ = true;
          parts_ = header_ = 0;
          return;
        }
        if (is_header_) {  // [[ of a list of tables
          header_ = 1;
          return;
        }
        return open();
      case '{':
        return open();
      case ']':
        if (is_header_) {
          header_ += parts_;
          parts_ = 0;
          require(header_ + 1);
          is_header_ = false;
          return;
        }
        return close();
      case '}':
        return close();
      case ',':
        if (!open_.empty()) parts_ = 0;
        return;
      case '.':
        ++parts_;
        require((is_header_ ? 1 : header_ + 2) + inner_ + parts_);
        return;
      default:
        is_line_start_ = false;
    }
  }

  void open() {
    open_.push_back(parts_ + 1);
    inner_ += parts_ + 1;
    parts_ = 0;
    require(header_ + 1 + inner_);
  }

  void close() {
    if (open_.empty()) return;  // a mistake that toml++ finds
    inner_ -= open_.back();
    open_.pop_back();
    parts_ = 0;
  }

  void require(std::size_t depth) const {
    if (depth > kMaxTomlDepth)
      fail(source_, line_,
           fmt::format("needed tables and lists at most {} deep, found deeper ones", kMaxTomlDepth));
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  // One quote ends at the line's end at the latest: a mistake. Three go on over lines.
  void skip_text(char quote) {
    is_line_start_ = false;
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_, 3) == three;
    at_ += is_long ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!is_long) return;
        ++line_;
      }
      if (c == '\\' && quote == '"') {
        if (at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++line_;
        at_ += 2;
        continue;
      }
      if (is_long && text_.substr(at_, 3) == three) {
        at_ += 3;
        // Up to two quotes may stand before the three that end it.
        for (int i = 0; i < 2 && at_ < text_.size() && text_[at_] == quote; ++i) ++at_;
        return;
      }
      ++at_;
      if (!is_long && c == quote) return;
    }
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool is_line_start_ = true;
  bool is_header_ = false;
  std::size_t header_ = 0;         // depth of the table that the last header names
  std::size_t inner_ = 0;          // depth of the values that are open
  std::vector<std::size_t> open_;  // what each of them added to it
  std::size_t parts_ = 0;          // dots of the key that is being read
};

// Messages of toml++ quote the text.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 300)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte > 0x7e ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return out;
}

TomlValue convert(const toml::node& node) {
  TomlValue value;
  value.line = node.source().begin.line;
  if (const auto* table = node.as_table()) {
    value.kind = TomlValue::Kind::kTable;
    for (const auto& [key, member] : *table) {
      value.items.push_back(convert(member));
      value.items.back().key = key.str();
      value.items.back().key_line = key.source().begin.line;
    }
  } else if (const auto* list = node.as_array()) {
    value.kind = TomlValue::Kind::kList;
    for (const toml::node& item : *list) value.items.push_back(convert(item));
  } else if (const auto* text = node.as_string()) {
    value.scalar = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.scalar = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.scalar = number->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.scalar = truth->get();
  }
  return value;
}

}  // namespace

TomlValue parse_toml(const std::string& text, const std::string& source) {
  DepthScan(text, source).run();
  try {
    return convert(toml::parse(text));
  } catch (const toml::parse_error& error) {
    fail(source, error.source().begin.line, printable(error.description()));
  }
}

}  // namespace twofold::record
