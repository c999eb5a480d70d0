#pragma once

#include <string>
#include <vector>

namespace twofold::report {

/// A number for people: `decimals` behind the point or, if negative, that many digits in all. Proper minus
/// signs, narrow spaces between the thousands of large whole parts, a dash for NaN.
std::string format_figure(double value, int decimals, bool with_sign = false);

/// Words with figures such as `paper 73.9 ± 2.6, -1.0 σ` or `T = 3`, so that a line breaks between figures
/// only, and with proper minus signs.
std::string keep_figures_whole(const std::string& words);

/// The same figures, padded behind (with spaces as wide as a digit or a point) so that they align on the
/// decimal point when aligned right.
std::vector<std::string> align_points(std::vector<std::string> figures);
/// Padded in front to the same number of characters.
std::vector<std::string> align_fronts(std::vector<std::string> figures);

}  // namespace twofold::report
