#pragma once

#include <string>

#include "twofold/report/plot.h"

namespace twofold::report {

/// A plot for papers: light, with its legend in the picture.
struct PlotFiles {
  std::string source;  // gnuplot's: `gnuplot NAME.gp` makes NAME.svg and NAME.pdf
  std::string svg;     // these two are empty where gnuplot is not installed,
  std::string pdf;     // this one also where it was built without Cairo
};

/// `name` is that of the files, a word of letters, digits, `-`, `_` and `.`. The same plot gives the same bytes
/// from one version of gnuplot. Names and labels stand in the script as quoted texts (quote_text).
PlotFiles draw_plot_files(const Plot& plot, const std::string& name);

/// Any words as the name of a file: other characters than those above become `-`; never empty, never hidden.
std::string file_word(const std::string& words);

}  // namespace twofold::report
