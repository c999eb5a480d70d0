#pragma once

#include <string>
#include <vector>

#include "twofold/record/json_reader.h"

namespace twofold::record {

/// A value of a TOML file and where it stands.
struct TomlValue {
  enum class Kind { kTable, kList, kScalar };
  Kind kind = Kind::kScalar;
  std::string key;  // within its table; empty in a list
  std::size_t key_line = 0;
  std::size_t line = 0;
  // A text, integer, number or truth; null for dates and times.
  Json scalar;
  // Of a list in its order, of a table by key.
  std::vector<TomlValue> items;

  bool is_table() const { return kind == Kind::kTable; }
  bool is_list() const { return kind == Kind::kList; }
};

/// Tables and lists within each other, dotted keys counted part by part.
inline constexpr std::size_t kMaxTomlDepth = 64;

/// Reads TOML: the one way to do so. Throws UsageError `SOURCE:LINE: …` for anything else, and for nesting
/// beyond kMaxTomlDepth, which would be met by as deep a recursion. Numbers may be infinite or NaN: TOML has
/// words for them.
TomlValue parse_toml(const std::string& text, const std::string& source);

}  // namespace twofold::record
