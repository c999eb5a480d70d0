#include "twofold/report/gnuplot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/report/markup.h"
#include "twofold/report/page_style.h"

namespace twofold::report {
namespace {

constexpr double kLetter = 7.7;  // about the width of a letter, in pixels
constexpr std::size_t kLongestName = 28;
constexpr int kNumColors = 8;

// gnuplot's numbers of filled shapes, and the same for the legend within -5...5.
constexpr PointShape kShapes[] = {
    {7, "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"},
    {5, "M-3.5-3.5h7v7h-7z"},
    {9, "M0-4.5l4.5 8h-9z"},
    {13, "M0-5l4.5 5-4.5 5-4.5-5z"},
    {11, "M0 4.5l4.5-8h-9z"},
};
constexpr std::size_t kNumShapes = sizeof(kShapes) / sizeof(kShapes[0]);

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
  // What lies beyond a limit that was given takes no room on the other side either.
  const auto include = [&](double value) {
    if (axis.min) value = std::max(value, *axis.min);
    if (axis.max) value = std::min(value, *axis.max);
    range.include(value);
  };
  for (const Series& series : all) {
    const std::vector<double>& values = is_x ? series.x : series.y;
    const std::vector<double>& spreads = is_x ? series.x_spread : series.y_spread;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!is_shown(axis, values[i])) continue;
      include(values[i]);
      if (spreads.empty() || !std::isfinite(spreads[i])) continue;
      include(lower_end(axis, values[i], spreads[i]));
      include(values[i] + spreads[i]);
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

bool is_named(const Series& series) { return !series.name.empty() && series.style != Series::Style::kBand; }

// As a light page shows them.
std::string shown_color(Role role) { return light_color(role == Role::kGrid ? "line" : "soft"); }
std::string shown_color(int number, bool faint) {
  const std::string color = light_color(fmt::format("c{}", number % kNumColors));
  // gnuplot takes the transparency first.
  return faint ? "#80" + color.substr(1) : color;
}

class Script {
 public:
  Script(const Plot& plot, ScriptFor reader)
      : plot_(plot),
        reader_(reader),
        x_(find_range(plot.x, plot.series, true)),
        y_(find_range(plot.y, plot.series, false)),
        height_(plot.height) {}

  GnuplotScript write() {
    write_legend();
    const double w = plot_.width, h = height_;
    script_ += "set samples 2\n";
    script_ += fmt::format("set border 3 lc rgb '{}' lw 1\n", color(Role::kLine));
    script_ += fmt::format("set grid xtics ytics lc rgb '{0}' lw 0.7 dt 1, lc rgb '{0}' lw 0.7 dt 1\n",
                           color(Role::kGrid));
    write_tics("x", plot_.x, x_);
    write_tics("y", plot_.y, y_);
    write_margins();
    const auto label = [&](int number, const std::string& text, const std::string& place) {
      if (text.empty()) return;
      script_ += fmt::format("set label {} {} at {} textcolor rgb '{}'\n", number, word(text), place,
                             color(Role::kSoft));
    };
    label(1, plot_.y.label, fmt::format("screen {:.5f}, screen {:.5f} left", 4 / w, 1 - 12 / h));
    label(2, plot_.x.label, fmt::format("screen {:.5f}, screen {:.5f} right", 1 - 14 / w, (10 + legend_) / h));
    write_data();
    return {std::move(script_), std::move(texts_), w, h};
  }

 private:
  std::string color(Role role) const {
    return reader_ == ScriptFor::kPage ? role_color(role) : shown_color(role);
  }
  std::string color(std::size_t s, bool faint = false) const {
    const int number = color_of(plot_, s);
    return reader_ == ScriptFor::kPage ? series_color(number, faint) : shown_color(number, faint);
  }
  // A text in quotes.
  std::string word(const std::string& text) {
    return reader_ == ScriptFor::kPage ? "'" + texts_.place(text) + "'" : quote_text(text);
  }
  // The same beside a tic, where gnuplot reads % as the start of a format.
  std::string tic_word(const std::string& text) {
    if (reader_ == ScriptFor::kPage) return word(text);
    std::string doubled;
    for (const char c : text) doubled += c == '%' ? "%%" : std::string(1, c);
    return word(doubled);
  }

  // Below the plot, in as many lines as the names need. On a page it is HTML.
  void write_legend() {
    double line = 0, lines = 0;
    for (std::size_t s = 0; s < plot_.series.size() && reader_ == ScriptFor::kFile; ++s) {
      if (!is_named(plot_.series[s])) continue;
      const double width = text_width(cut(plot_.series[s].name)) + 60;
      if (lines == 0 || line + width > plot_.width - 40) line = 0, ++lines;
      line += width;
    }
    if (lines == 0) {
      script_ += "unset key\n";
      return;
    }
    legend_ = 20 * lines + 10;
    height_ += legend_;
    script_ += fmt::format(
        "set key at screen 0.5, screen {:.5f} center bottom horizontal reverse Left samplen 2 textcolor rgb "
        "'{}'\n",
        4 / height_, color(Role::kSoft));
  }

  std::string title(std::size_t s, bool is_first) {
    if (reader_ == ScriptFor::kPage) return "";
    return is_first && is_named(plot_.series[s]) ? " title " + word(cut(plot_.series[s].name)) : " notitle";
  }

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
        left / plot_.width, 1 - 16 / plot_.width, 1 - top / height_, (bottom + legend_) / height_);
  }

  void write_tics(const char* name, const Axis& axis, const Range& range) {
    const bool is_y = name[0] == 'y';
    const std::string tone = fmt::format("textcolor rgb '{}'", color(Role::kSoft));
    if (!axis.categories.empty()) {
      std::string places;
      double width = 0;
      for (std::size_t i = 0; i < axis.categories.size(); ++i) {
        const std::string shown = cut(axis.categories[i]);
        places += fmt::format("{}{} {}", i == 0 ? "" : ", ", tic_word(shown), i);
        width = std::max(width, text_width(shown) + 10);
      }
      is_slanted_ = !is_y && width * static_cast<double>(axis.categories.size()) > plot_.width - 80;
      script_ += fmt::format("set {}tics nomirror scale 0 ({}) {}{}\n", name, places,
                             is_slanted_ ? "rotate by 35 right " : "", tone);
      script_ += is_y ? fmt::format("set yrange [{:g}:{:g}]\n", range.high, range.low)
                      : fmt::format("set xrange [{:g}:{:g}]\n", range.low, range.high);
      return;
    }
    script_ += fmt::format("set {}range [{:.17g}:{:.17g}]\n", name, range.low, range.high);
    if (!axis.is_log) {
      script_ += fmt::format("set {}tics nomirror scale 0.5 format '%g' {}\n", name, tone);
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
        places += fmt::format("{}{} {:.17g}", places.empty() ? "" : ", ",
                              tic_word(power_of_ten(exponent, times)), value);
      }
    script_ += fmt::format("set {}tics nomirror scale 0.5 ({}) {}\n", name, places, tone);
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

  void add_parts(std::size_t s, bool has_bars, std::vector<std::string>& parts) {
    const Series& series = plot_.series[s];
    const std::string own = fmt::format("lc rgb '{}'", color(s));
    if (series.style == Series::Style::kBand) {
      parts.insert(parts.begin(),
                   fmt::format("$d{} using 1:3:4 with filledcurves fs transparent solid 0.16 noborder {}{}", s,
                               own, title(s, false)));
      return;
    }
    if (has_bars)
      parts.push_back(fmt::format("$e{} using 1:2 with lines lw 1.6 {}{}", s, own, title(s, false)));
    if (has_lines(series))
      parts.push_back(fmt::format("$d{} using 1:2 with lines lw 2 dt {} {}{}", s, series.dashed ? 2 : 1, own,
                                  title(s, true)));
    if (has_points(series)) {
      // Where there are many points the color says more than the shape, and lets others shine through.
      const std::string faint = fmt::format("lc rgb '{}'", color(s, true));
      parts.push_back(fmt::format("$d{} using 1:2 with points pt {} ps {} {}{}", s, shape_of(plot_, s).number,
                                  series.small ? 0.55 : 0.85, series.small ? faint : own,
                                  title(s, !has_lines(series))));
    }
  }

  const Plot& plot_;
  ScriptFor reader_;
  Range x_;
  Range y_;
  double height_;
  double legend_ = 0;
  bool is_slanted_ = false;
  std::string script_;
  SvgTexts texts_;
};

}  // namespace

int color_of(const Plot& plot, std::size_t s) {
  const int color = plot.series[s].color >= 0 ? plot.series[s].color : static_cast<int>(s);
  return color % kNumColors;
}

const PointShape& shape_of(const Plot& plot, std::size_t s) {
  if (plot.series[s].shape >= 0) return kShapes[static_cast<std::size_t>(plot.series[s].shape) % kNumShapes];
  return kShapes[static_cast<std::size_t>(color_of(plot, s)) % kNumShapes];
}

bool has_lines(const Series& series) {
  return series.style == Series::Style::kLines || series.style == Series::Style::kLinesPoints;
}

bool has_points(const Series& series) {
  return series.style == Series::Style::kPoints || series.style == Series::Style::kLinesPoints;
}

std::string quote_text(const std::string& text) {
  std::string quoted = "'";
  // gnuplot takes two quotes for one only where they do not come first, so none is left in.
  for (const char c : clean_text(text)) quoted += c == '\'' ? "’" : std::string(1, c);
  // gnuplot's SVG escapes all that XML wants escaped but this.
  for (std::size_t at = quoted.find("]]>"); at != std::string::npos; at = quoted.find("]]>", at))
    quoted.replace(at, 3, "]] >");
  return quoted + "'";
}

GnuplotScript write_script(const Plot& plot, ScriptFor reader) { return Script(plot, reader).write(); }

}  // namespace twofold::report
