#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace twofold {

/// `text` for a terminal or a cell: everything that could move the cursor, hide or reorder words, or break the
/// line is shown as `\u001b` or `\u202e`, bytes that are no UTF-8 as `\xff`. Other letters stay as they are.
/// JSON stays JSON, and means the same: these are its own escapes.
std::string printable(std::string_view text);

/// The same for text of several lines: line ends and tabs stay.
std::string printable_lines(std::string_view text);

/// The first `most` letters and `…`, or all of them if there are no more. Needs valid UTF-8 to count letters;
/// of anything else it counts bytes.
std::string shortened(std::string_view text, std::size_t most);

/// Bytes of the letter that `text` begins with: 1 to 4, or 0 if these are no UTF-8. Needs text.
/// If `text` ends within a letter that has begun well, its length is given too; it is larger than the text.
std::size_t utf8_length(std::string_view text);

}  // namespace twofold
