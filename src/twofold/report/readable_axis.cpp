#include "twofold/report/readable_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "twofold/report/figures.h"

namespace twofold::report {
namespace {

constexpr double kFarOff = 4;  // widths of the core beyond it: further than this presses it flat
constexpr double kNear = 2;    // what lies nearer stays in sight
constexpr std::size_t kFewest = 5;
constexpr int kUpwards = 2;  // shapes of Series
constexpr int kDownwards = 4;

// The middle four fifths of the values.
struct Core {
  double low = 0;
  double high = 0;
  double width() const { return high - low; }
};

Core core_of(const std::vector<double>& sorted) {
  // Whole places: a value between two would take part in what is far off.
  const auto last = static_cast<double>(sorted.size() - 1);
  Core core{sorted[static_cast<std::size_t>(std::ceil(0.1 * last))],
            sorted[static_cast<std::size_t>(std::floor(0.9 * last))]};
  // Curves that hardly move have no width that others could be measured by.
  const double least = 0.01 * std::max(std::abs(core.low), std::abs(core.high));
  if (core.width() < least) core = {core.low - least / 2, core.high + least / 2};
  return core;
}

bool is_flat(const std::vector<double>& sorted) {
  const Core core = core_of(sorted);
  return sorted.back() > core.high + kFarOff * core.width() ||
         sorted.front() < core.low - kFarOff * core.width();
}

std::vector<double> sorted_values(const Plot& plot) {
  std::vector<double> values;
  for (const Series& series : plot.series)
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      const double spread =
          i < series.y_spread.size() && std::isfinite(series.y_spread[i]) ? series.y_spread[i] : 0;
      for (const double value : {series.y[i] - spread, series.y[i] + spread})
        if (std::isfinite(value)) values.push_back(value);
    }
  std::sort(values.begin(), values.end());
  return values;
}

// Where the lines of a plot leave its axis: an arrow for each time, at the farthest value.
Series arrows(const Series& line, int color, bool up, double limit, double place) {
  Series result;
  result.style = Series::Style::kPoints;
  result.color = color;
  result.shape = up ? kUpwards : kDownwards;
  double farthest = limit;
  for (std::size_t i = 0; i < line.y.size(); ++i) {
    const bool is_beyond = std::isfinite(line.y[i]) && (up ? line.y[i] > limit : line.y[i] < limit);
    if (!is_beyond) {
      farthest = limit;
      continue;
    }
    if (farthest == limit) {
      result.x.push_back(line.x[i]);
      result.y.push_back(place);
    }
    if (up ? line.y[i] > farthest : line.y[i] < farthest) {
      result.x.back() = line.x[i];
      farthest = line.y[i];
    }
  }
  return result;
}

}  // namespace

void keep_readable(Plot& plot) {
  if (plot.y.is_log || plot.y.min || plot.y.max || !plot.y.categories.empty()) return;
  const std::vector<double> sorted = sorted_values(plot);
  if (sorted.size() < kFewest || !is_flat(sorted)) return;
  if (sorted.front() > 0) {
    std::vector<double> logarithms;
    for (const double value : sorted) logarithms.push_back(std::log10(value));
    if (!is_flat(logarithms)) {
      plot.y.is_log = true;
      return;
    }
  }
  const Core core = core_of(sorted);
  const double above = core.high + kNear * core.width(), below = core.low - kNear * core.width();
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), below);
  const auto behind = std::upper_bound(sorted.begin(), sorted.end(), above);
  const double room = 0.06 * std::max(*(behind - 1) - *first, core.width());
  if (first != sorted.begin()) plot.y.min = *first - room;
  if (behind != sorted.end()) plot.y.max = *(behind - 1) + room;
  const std::size_t num_series = plot.series.size();
  for (std::size_t s = 0; s < num_series; ++s) {
    if (plot.series[s].style == Series::Style::kBand) continue;
    const int color = plot.series[s].color >= 0 ? plot.series[s].color : static_cast<int>(s);
    for (const bool up : {true, false}) {
      const std::optional<double>& limit = up ? plot.y.max : plot.y.min;
      if (!limit) continue;
      Series beyond = arrows(plot.series[s], color, up, *limit, up ? *limit - room / 3 : *limit + room / 3);
      if (!beyond.x.empty()) plot.series.push_back(std::move(beyond));
    }
  }
  std::string far;
  if (plot.y.max) far += "up to " + format_figure(sorted.back(), -3);
  if (plot.y.min) far += (far.empty() ? "down to " : ", down to ") + format_figure(sorted.front(), -3);
  plot.note = fmt::format("Triangles at the edge: values beyond the axis, {}.", far);
}

}  // namespace twofold::report
