#pragma once

#include <string>
#include <vector>

namespace twofold::report {

// gnuplot knows neither our page's colors nor may it see names that come from records. So its script holds
// stand-ins, and adapt_svg puts in what they stand for.

/// Colors of the page that are no series'.
enum class Role { kLine, kGrid, kSoft };
/// Stand-ins of colors, as `#010003`.
std::string role_color(Role role);
/// `faint`: half transparent.
std::string series_color(int color, bool faint = false);

/// Texts and their stand-ins.
class SvgTexts {
 public:
  /// What to write in a script, between single quotes.
  std::string place(const std::string& text);
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

struct SvgFrame {
  std::string id;     // a word unique on the page: ids within start with it
  std::string words;  // for those who do not see
  double width = 0;
  double height = 0;
};

/// gnuplot's SVG as a part of a page: texts put in and escaped, colors those of the page, ids unique, nothing
/// that tells when or by which version it was made. Throws Error if it is no SVG of gnuplot's.
std::string adapt_svg(const std::string& svg, const SvgTexts& texts, const SvgFrame& frame);

}  // namespace twofold::report
