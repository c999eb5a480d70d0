#pragma once

#include <cstddef>
#include <string>

namespace twofold::cli {

/// Columns that a UTF-8 text takes on a terminal: a letter takes one, whatever its bytes.
std::size_t text_width(const std::string& text);

/// At most `columns` wide: the beginning and `..` where something is left out. No letter is torn apart.
std::string cut_end(const std::string& text, std::size_t columns);
/// The same with the end kept, as paths want it: `../MUTAG.zip`.
std::string cut_front(const std::string& text, std::size_t columns);

}  // namespace twofold::cli
