#include "twofold/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/report/filter.h"
#include "twofold/report/gnuplot_svg.h"
#include "twofold/report/markup.h"

namespace twofold::report {
namespace {

constexpr double kLetter = 7.7;  // about the width of a letter, in pixels
constexpr std::size_t kLongestName = 28;
constexpr int kNumColors = 8;

// gnuplot's numbers of filled shapes, and the same for the legend within -5...5.
struct Shape {
  int number;
  const char* path;
};
constexpr Shape kShapes[] = {
    {7, "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"},
    {5, "M-3.5-3.5h7v7h-7z"},
    {9, "M0-4.5l4.5 8h-9z"},
    {13, "M0-5l4.5 5-4.5 5-4.5-5z"},
    {11, "M0 4.5l4.5-8h-9z"},
};
constexpr std::size_t kNumShapes = sizeof(kShapes) / sizeof(kShapes[0]);

int color_of(const Plot& plot, std::size_t s) {
  const int color = plot.series[s].color >= 0 ? plot.series[s].color : static_cast<int>(s);
  return color % kNumColors;
}

const Shape& shape_of(const Plot& plot, std::size_t s) {
  return kShapes[static_cast<std::size_t>(color_of(plot, s)) % kNumShapes];
}

bool has_lines(const Series& series) {
  return series.style == Series::Style::kLines || series.style == Series::Style::kLinesPoints;
}
bool has_points(const Series& series) {
  return series.style == Series::Style::kPoints || series.style == Series::Style::kLinesPoints;
}

bool is_shown(const Axis& axis, double value) { return std::isfinite(value) && (!axis.is_log || value > 0); }

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// The lower end of an error bar; on a logarithmic axis it must stay above 0.
double lower_end(const Axis& axis, double value, double spread) {
  const double end = value - spread;
  return axis.is_log && end <= 0 ? value / 10 : end;
}

Range find_range(const Axis& axis, const std::vector<Series>& all, bool is_x) {
  Range range;
  if (!axis.categories.empty()) {
    const auto last = static_cast<double>(axis.categories.size()) - 1;
    return {-0.5, last + 0.5};
  }
  for (const Series& series : all) {
    const std::vector<double>& values = is_x ? series.x : series.y;
    const std::vector<double>& spreads = is_x ? series.x_spread : series.y_spread;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!is_shown(axis, values[i])) continue;
      range.include(values[i]);
      if (spreads.empty() || !std::isfinite(spreads[i])) continue;
      range.include(lower_end(axis, values[i], spreads[i]));
      range.include(values[i] + spreads[i]);
    }
  }
  if (range.low > range.high) range = axis.is_log ? Range{1, 10} : Range{0, 1};
  if (axis.is_log) {
    const double room = std::max(0.03, 0.05 * std::log10(range.high / range.low));
    range = {range.low * std::pow(10, -room), range.high * std::pow(10, room)};
  } else {
    const double width = range.high - range.low;
    const double room = width > 0 ? 0.04 * width : std::max(1e-6, 0.05 * std::abs(range.high));
    range = {range.low - room, range.high + room};
  }
  if (axis.min) range.low = *axis.min;
  if (axis.max) range.high = *axis.max;
  if (!(range.low < range.high)) range.high = range.low + 1;
  return range;
}

std::string cut(const std::string& name) {
  std::size_t letters = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((static_cast<unsigned char>(name[i]) & 0xC0) == 0x80) continue;
    if (++letters > kLongestName) return name.substr(0, i) + "…";
  }
  return name;
}

double text_width(const std::string& text) {
  return kLetter * static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) {
           return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
         }));
}

// 10ⁿ, or the number itself while it is short.
std::string power_of_ten(int exponent, int times) {
  if (exponent >= -3 && exponent <= 4) return fmt::format("{:g}", times * std::pow(10.0, exponent));
  static const char* const kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = times == 1 ? "10" : fmt::format("{}·10", times);
  if (exponent < 0) text += "⁻";
  for (const char digit : std::to_string(std::abs(exponent))) text += kRaised[digit - '0'];
  return text;
}

class Script {
 public:
  explicit Script(const Plot& plot)
      : plot_(plot), x_(find_range(plot.x, plot.series, true)), y_(find_range(plot.y, plot.series, false)) {}

  const SvgTexts& texts() const { return texts_; }

  std::string write() {
    const double w = plot_.width, h = plot_.height;
    script_ +=
        fmt::format("set terminal svg size {:.0f},{:.0f} noenhanced font 'sans-serif,14' rounded\n", w, h);
    script_ += "unset key\nset samples 2\n";
    script_ += fmt::format("set border 3 lc rgb '{}' lw 1\n", role_color(Role::kLine));
    script_ += fmt::format("set grid xtics ytics lc rgb '{0}' lw 0.7 dt 1, lc rgb '{0}' lw 0.7 dt 1\n",
                           role_color(Role::kGrid));
    write_tics("x", plot_.x, x_);
    write_tics("y", plot_.y, y_);
    write_margins();
    const auto label = [&](int number, const std::string& text, const std::string& place) {
      if (text.empty()) return;
      script_ += fmt::format("set label {} '{}' at {} textcolor rgb '{}'\n", number, texts_.place(text), place,
                             role_color(Role::kSoft));
    };
    label(1, plot_.y.label, fmt::format("screen {:.5f}, screen {:.5f} left", 4 / w, 1 - 12 / h));
    label(2, plot_.x.label, fmt::format("screen {:.5f}, screen {:.5f} right", 1 - 14 / w, 10 / h));
    write_data();
    return script_;
  }

 private:
  void write_margins() {
    double left = 60, bottom = 50;
    if (!plot_.y.categories.empty()) {
      left = 24;
      for (const std::string& name : plot_.y.categories) left = std::max(left, text_width(cut(name)) + 18);
    }
    if (is_slanted_) {
      double longest = 0;
      for (const std::string& name : plot_.x.categories) longest = std::max(longest, text_width(cut(name)));
      bottom = 40 + 0.55 * longest;
      left = std::max(left, 0.5 * longest);
    }
    if (plot_.x.label.empty()) bottom -= 16;
    const double top = plot_.y.label.empty() ? 12 : 32;
    script_ += fmt::format(
        "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n"
        "set bmargin at screen {:.5f}\n",
        left / plot_.width, 1 - 16 / plot_.width, 1 - top / plot_.height, bottom / plot_.height);
  }

  void write_tics(const char* name, const Axis& axis, const Range& range) {
    const bool is_y = name[0] == 'y';
    const std::string color = fmt::format("textcolor rgb '{}'", role_color(Role::kSoft));
    if (!axis.categories.empty()) {
      std::string places;
      double width = 0;
      for (std::size_t i = 0; i < axis.categories.size(); ++i) {
        const std::string shown = cut(axis.categories[i]);
        places += fmt::format("{}'{}' {}", i == 0 ? "" : ", ", texts_.place(shown), i);
        width = std::max(width, text_width(shown) + 10);
      }
      is_slanted_ = !is_y && width * static_cast<double>(axis.categories.size()) > plot_.width - 80;
      script_ += fmt::format("set {}tics nomirror scale 0 ({}) {}{}\n", name, places,
                             is_slanted_ ? "rotate by 35 right " : "", color);
      script_ += is_y ? fmt::format("set yrange [{:g}:{:g}]\n", range.high, range.low)
                      : fmt::format("set xrange [{:g}:{:g}]\n", range.low, range.high);
      return;
    }
    script_ += fmt::format("set {}range [{:.17g}:{:.17g}]\n", name, range.low, range.high);
    if (!axis.is_log) {
      script_ += fmt::format("set {}tics nomirror scale 0.5 format '%g' {}\n", name, color);
      return;
    }
    script_ += fmt::format("set logscale {} 10\n", name);
    const int first = static_cast<int>(std::floor(std::log10(range.low)));
    const int last = static_cast<int>(std::floor(std::log10(range.high)));
    const bool is_short = std::log10(range.high / range.low) < 1.7;
    const int step = std::max(1, (last - first + 7) / 8);
    std::string places;
    // Multiples of the step, 1 among them.
    for (int exponent = first - ((first % step) + step) % step; exponent <= last; exponent += step)
      for (const int times : {1, 2, 5}) {
        const double value = times * std::pow(10.0, exponent);
        if ((times > 1 && !is_short) || value < range.low || value > range.high) continue;
        places += fmt::format("{}'{}' {:.17g}", places.empty() ? "" : ", ",
                              texts_.place(power_of_ten(exponent, times)), value);
      }
    script_ += fmt::format("set {}tics nomirror scale 0.5 ({}) {}\n", name, places, color);
  }

  // Of each series a block of lines: x, y, lower and upper end of y; and one of its error bars, a line each. An
  // empty line is a gap.
  void write_data() {
    std::vector<std::string> parts;
    for (std::size_t s = 0; s < plot_.series.size(); ++s) {
      const Series& series = plot_.series[s];
      TWOFOLD_CHECK(series.x.size() == series.y.size(), "series {}: {} x, {} y", s, series.x.size(),
                    series.y.size());
      TWOFOLD_CHECK(series.x_spread.empty() || series.x_spread.size() == series.x.size());
      TWOFOLD_CHECK(series.y_spread.empty() || series.y_spread.size() == series.x.size());
      std::string lines, bars;
      bool any = false;
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        const double x = series.x[i], y = series.y[i];
        if (!is_shown(plot_.x, x) || !is_shown(plot_.y, y)) {
          lines += "\n";
          continue;
        }
        any = true;
        const auto spread = [&](const std::vector<double>& spreads) {
          return spreads.empty() || !std::isfinite(spreads[i]) ? 0 : spreads[i];
        };
        const double dx = spread(series.x_spread), dy = spread(series.y_spread);
        lines += fmt::format("{:.10g} {:.10g} {:.10g} {:.10g}\n", x, y, lower_end(plot_.y, y, dy), y + dy);
        if (dx > 0)
          bars += fmt::format("{:.10g} {:.10g}\n{:.10g} {:.10g}\n\n", lower_end(plot_.x, x, dx), y, x + dx, y);
        if (dy > 0)
          bars += fmt::format("{:.10g} {:.10g}\n{:.10g} {:.10g}\n\n", x, lower_end(plot_.y, y, dy), x, y + dy);
      }
      if (!any) continue;
      script_ += fmt::format("$d{} << end\n{}end\n", s, lines);
      const bool has_bars = !bars.empty() && series.style != Series::Style::kBand;
      if (has_bars) script_ += fmt::format("$e{} << end\n{}end\n", s, bars);
      add_parts(s, has_bars, parts);
    }
    if (parts.empty())
      script_ += "plot NaN notitle\n";
    else
      script_ += fmt::format("plot {}\n", fmt::join(parts, ", \\\n"));
  }

  void add_parts(std::size_t s, bool has_bars, std::vector<std::string>& parts) const {
    const Series& series = plot_.series[s];
    const std::string color = fmt::format("lc rgb '{}'", series_color(color_of(plot_, s)));
    if (series.style == Series::Style::kBand) {
      parts.insert(
          parts.begin(),
          fmt::format("$d{} using 1:3:4 with filledcurves fs transparent solid 0.16 noborder {}", s, color));
      return;
    }
    if (has_bars) parts.push_back(fmt::format("$e{} using 1:2 with lines lw 1.6 {}", s, color));
    if (has_lines(series))
      parts.push_back(fmt::format("$d{} using 1:2 with lines lw 2 dt {} {}", s, series.dashed ? 2 : 1, color));
    if (has_points(series)) {
      // Where there are many points the color says more than the shape, and lets others shine through.
      const std::string faint = fmt::format("lc rgb '{}'", series_color(color_of(plot_, s), true));
      parts.push_back(fmt::format("$d{} using 1:2 with points pt {} ps {} {}", s, shape_of(plot_, s).number,
                                  series.small ? 0.55 : 0.85, series.small ? faint : color));
    }
  }

  const Plot& plot_;
  Range x_;
  Range y_;
  bool is_slanted_ = false;
  std::string script_;
  SvgTexts texts_;
};

double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::string draw_plot(const Plot& plot, const std::string& id) {
  Script script(plot);
  const std::string text = script.write();
  const std::string words = fmt::format("{} over {}", plot.y.label.empty() ? "values" : plot.y.label,
                                        plot.x.label.empty() ? "names" : plot.x.label);
  return adapt_svg(run_filter(kGnuplot, {"-d"}, text), script.texts(), {id, words, plot.width, plot.height});
}

std::string draw_legend(const Plot& plot) {
  std::string items;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    if (series.name.empty() || series.style == Series::Style::kBand) continue;
    const std::string color = fmt::format("var(--c{})", color_of(plot, s));
    std::string sign = "<svg viewBox=\"0 0 26 12\" aria-hidden=\"true\">";
    if (has_lines(series))
      sign += fmt::format("<path d=\"M1 6h24\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>", color,
                          series.dashed ? " stroke-dasharray=\"6 4\"" : "");
    if (has_points(series))
      sign += fmt::format("<path transform=\"translate(13 6)\" d=\"{}\" fill=\"{}\"/>", shape_of(plot, s).path,
                          color);
    items += "<li>" + sign + "</svg><span>" + escape_markup(series.name) + "</span></li>\n";
  }
  return items.empty() ? "" : "<ul class=\"legend\">\n" + items + "</ul>\n";
}

CurveSummary summarize_curves(const std::vector<std::vector<double>>& curves, std::size_t max_points) {
  std::size_t longest = 0;
  for (const auto& curve : curves) longest = std::max(longest, curve.size());
  CurveSummary summary;
  std::vector<std::size_t> places;
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < longest; ++i) {
    std::vector<double> at;
    for (const auto& curve : curves)
      if (i < curve.size() && std::isfinite(curve[i])) at.push_back(curve[i]);
    if (2 * at.size() < curves.size() || at.empty()) continue;
    std::sort(at.begin(), at.end());
    places.push_back(i);
    values.push_back(std::move(at));
  }
  const std::size_t count = std::min(places.size(), std::max<std::size_t>(max_points, 2));
  for (std::size_t j = 0; j < count; ++j) {
    // The first and the last are always among them.
    const std::size_t i = count == 1 ? 0 : j * (places.size() - 1) / (count - 1);
    summary.x.push_back(static_cast<double>(places[i] + 1));
    summary.mean.push_back(std::accumulate(values[i].begin(), values[i].end(), 0.0) /
                           static_cast<double>(values[i].size()));
    summary.median.push_back(quantile(values[i], 0.5));
    summary.lower.push_back(quantile(values[i], 0.25));
    summary.upper.push_back(quantile(values[i], 0.75));
  }
  return summary;
}

}  // namespace twofold::report
