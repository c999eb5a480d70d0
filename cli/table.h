#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace twofold::cli {

/// Text in columns, as wide as their widest cell, two blanks between them. Letters beyond ASCII count as one
/// each.
class Table {
 public:
  /// Columns whose header starts with '<' are aligned left (the sign is not printed), the others right.
  explicit Table(const std::vector<std::string>& headers);
  /// Needs as many cells as there are headers.
  void add_row(std::vector<std::string> cells);
  void print(std::ostream& out) const;

 private:
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace twofold::cli
