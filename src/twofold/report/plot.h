#pragma once

#include <optional>
#include <string>
#include <vector>

namespace twofold::report {

/// One line, or set of points, of a plot. Values that are not finite (or not positive on a logarithmic axis)
/// leave a gap.
struct Series {
  enum class Style {
    kLines,
    kPoints,
    kLinesPoints,
    kBand,  // the area between y - y_spread and y + y_spread, lightly filled; no entry in the legend
  };
  std::string name;  // in the legend; empty: no entry
  Style style = Style::kLines;
  std::vector<double> x;  // as many as y
  std::vector<double> y;
  // Half the length of error bars, one per point; empty: none.
  std::vector<double> x_spread;
  std::vector<double> y_spread;
  int color = -1;       // which of the page's colors, 0...7 and again; -1: its place among the series
  int shape = -1;       // of points, 0...4: disk, square, triangle, diamond, triangle downwards; -1: by color
  bool dashed = false;  // for lines
  bool small = false;   // for points: small and half transparent, where there are many
};

struct Axis {
  std::string label;
  bool is_log = false;
  std::optional<double> min;  // taken from the values where not given
  std::optional<double> max;
  // Names of the places 0, 1, 2, ... instead of numbers. On the y axis the first is on top.
  std::vector<std::string> categories;
};

struct Plot {
  std::string name;  // of its files: any words; empty: plot
  std::string note;  // what the reader must know of its axes: a sentence, added to its caption
  Axis x;
  Axis y;
  std::vector<Series> series;
  double width = 500;   // in pixels at full size; pages scale it down
  double height = 310;  // without the legend, which stands below
};

/// The plot as an `<svg>` that stands in a page of ours: its colors follow the page, light or dark. No name or
/// label enters gnuplot's script: they are put in afterwards, escaped. `id` is a word unique on the page. The
/// same plot gives the same bytes from one version of gnuplot. Throws MissingProgram (filter.h) if gnuplot is
/// not installed.
std::string draw_plot(const Plot& plot, const std::string& id);

/// The names of the series with their colors, as HTML; empty if no series has a name.
std::string draw_legend(const Plot& plot);

/// Mean, median and quartiles over several curves of different length, at 1, 2, 3, ... as long as at least half
/// of them go on. At most `max_points` places, evenly taken.
struct CurveSummary {
  std::vector<double> x;  // from 1
  std::vector<double> mean;
  std::vector<double> median;
  std::vector<double> lower;
  std::vector<double> upper;
};
CurveSummary summarize_curves(const std::vector<std::vector<double>>& curves, std::size_t max_points);

}  // namespace twofold::report
