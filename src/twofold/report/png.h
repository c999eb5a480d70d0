#pragma once

#include <string>

namespace twofold::report {

/// An SVG picture as a PNG, twice as many pixels each way as the picture says, on white. Made by rsvg-convert:
/// throws MissingProgram (filter.h) if it is not installed, Error if it fails.
std::string png_of_svg(const std::string& svg);

/// Throws the same MissingProgram at once, for callers that would work long before they draw.
void require_png();

}  // namespace twofold::report
