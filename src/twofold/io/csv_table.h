#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twofold::io {

/// A table of texts with a header.
struct CsvTable {
  std::vector<std::string> header;
  // One row of header.size() cells each.
  std::vector<std::vector<std::string>> rows;
  // The line on which each row begins, from 1.
  std::vector<std::size_t> lines;

  /// Where the column of that name stands, in any case; header.size() if there is none.
  std::size_t find(std::string_view name) const;
};

/// Reads RFC 4180: cells between quotes may hold separators, line ends and doubled quotes. The separator is the
/// one of comma, semicolon and tab that the header has most often. A byte order mark is skipped, lines end by
/// \n or \r\n, empty lines do not count, blanks around a header's names neither.
///
/// Throws InputError naming `source` and line for a quote that is not closed or ends inside a cell, a row of
/// another number of cells than the header, a name that stands twice or is empty, text that is no UTF-8.
CsvTable read_csv(std::string_view text, const std::string& source);

/// The names of the first line, for a look at what a file is; empty if that line is none of a table.
std::vector<std::string> csv_header(std::string_view text);

}  // namespace twofold::io
