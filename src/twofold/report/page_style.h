#pragma once

namespace twofold::report {

/// The style sheet of every page.
extern const char* const kPageStyle;

}  // namespace twofold::report
