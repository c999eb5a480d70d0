#include "cli/table.h"

#include <algorithm>

#include "cli/text_width.h"
#include "twofold/base/error.h"
#include "twofold/base/printable.h"

namespace twofold::cli {
Table::Table(const std::vector<std::string>& headers) {
  std::vector<std::string> cells;
  for (const std::string& header : headers) {
    left_.push_back(!header.empty() && header[0] == '<');
    cells.push_back(left_.back() ? header.substr(1) : header);
  }
  rows_.push_back(std::move(cells));
}

void Table::add_row(std::vector<std::string> cells) {
  TWOFOLD_CHECK(cells.size() == left_.size(), "{} cells for {} columns", cells.size(), left_.size());
  // Names come from files: they may hold what moves the cursor, or ends the row.
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void Table::print(std::ostream& out) const {
  std::vector<std::size_t> width(left_.size(), 0);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], text_width(row[i]));
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(width[i] - text_width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += left_[i] ? row[i] + blanks : blanks + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace twofold::cli
