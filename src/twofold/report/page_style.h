#pragma once

#include <string>

namespace twofold::report {

/// The style sheet of every page.
extern const char* const kPageStyle;

/// A color of the style sheet where pages are light, as `#0f6ab4`: of `c0`, `soft`, `line`, … with six digits.
std::string light_color(const std::string& name);

}  // namespace twofold::report
