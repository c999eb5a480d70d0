#pragma once

#include <string>

#include "twofold/report/gnuplot_svg.h"
#include "twofold/report/plot.h"

namespace twofold::report {

/// Whom a script is written for.
enum class ScriptFor {
  kPage,  // colors and texts are stand-ins, which adapt_svg replaces; no legend
  kFile,  // for people: colors, texts and legend as they are shown; every text quoted as quote_text does it
};

struct GnuplotScript {
  std::string body;  // all but the terminal
  SvgTexts texts;    // of a page
  double width = 0;  // in pixels, with the legend
  double height = 0;
};

/// Needs series with as many x as y.
GnuplotScript write_script(const Plot& plot, ScriptFor reader);

/// A text as a string of gnuplot's, between single quotes: nothing in it is read as a command, a macro, a
/// substitution or markup. An apostrophe becomes ’; control characters and bytes that are no UTF-8 are
/// replaced.
std::string quote_text(const std::string& text);

/// A filled shape: gnuplot's number, and the same for legends of a page within -5...5.
struct PointShape {
  int number;
  const char* path;
};
const PointShape& shape_of(const Plot& plot, std::size_t series);
int color_of(const Plot& plot, std::size_t series);
bool has_lines(const Series& series);
bool has_points(const Series& series);

}  // namespace twofold::report
