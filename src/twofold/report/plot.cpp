#include "twofold/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "twofold/report/filter.h"
#include "twofold/report/gnuplot_script.h"
#include "twofold/report/markup.h"

namespace twofold::report {
namespace {

double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::string draw_plot(const Plot& plot, const std::string& id) {
  const GnuplotScript script = write_script(plot, ScriptFor::kPage);
  const std::string terminal =
      fmt::format("set terminal svg size {:.0f},{:.0f} noenhanced font 'sans-serif,14' rounded\n", script.width,
                  script.height);
  const std::string words = fmt::format("{} over {}", plot.y.label.empty() ? "values" : plot.y.label,
                                        plot.x.label.empty() ? "names" : plot.x.label);
  return adapt_svg(run_filter(kGnuplot, {"-d"}, terminal + script.body), script.texts,
                   {id, words, script.width, script.height});
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
