#pragma once

#include <string>

namespace twofold::report {

/// Any text as it may stand in SVG or HTML, between tags or in a quoted attribute: what would be read as markup
/// is escaped; control characters, which SVG does not allow, and bytes that are no UTF-8 become U+FFFD.
std::string escape_markup(const std::string& text);

/// The text with U+FFFD for control characters and bytes that are no UTF-8; nothing is escaped.
std::string clean_text(const std::string& text);

}  // namespace twofold::report
