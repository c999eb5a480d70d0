#pragma once

#include <string>
#include <string_view>

namespace twofold {

/// A text as the cell of a CSV file (RFC 4180): between quotes where it has a comma, a quote or a line end.
///
/// A cell that begins with = + - @ or a tab is a formula to spreadsheets, which run it: such a text gets an
/// apostrophe in front, which spreadsheets do not show. Numbers, as `-1`, stay as they are.
std::string csv_cell(std::string_view text);

}  // namespace twofold
