#include "twofold/report/coloring_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "twofold/report/graph_layout.h"
#include "twofold/report/markup.h"

namespace twofold::report {
namespace {

constexpr double kMargin = 34;
constexpr double kTitle = 26;
constexpr double kRadius = 12;

// Steps of the golden angle: colors of near numbers are far apart.
std::string fill_of(std::uint32_t color) {
  const double hue = std::fmod(210.0 + 137.508 * color, 360.0);
  const int light = 58 + 8 * static_cast<int>(color / 9 % 3);
  return fmt::format("hsl({:.0f},65%,{}%)", hue, light);
}

void draw_line(std::string& svg, const DrawnLine& line, Point a, Point b) {
  const double length = std::max(1e-9, std::hypot(b.x - a.x, b.y - a.y));
  const double bend = line.is_edge ? 0 : std::min(9.0, 0.06 * length);
  const Point middle = {(a.x + b.x) / 2 - bend * (b.y - a.y) / length,
                        (a.y + b.y) / 2 + bend * (b.x - a.x) / length};
  const std::string style = line.is_edge ? "stroke-width=\"5\"" : "stroke-width=\"2\" stroke-dasharray=\"5 3\"";
  const auto half = [&](Point from, std::uint32_t color) {
    // The half of a quadratic curve is one: its control point is the middle of the way to the whole one's.
    const Point whole = {2 * middle.x - (a.x + b.x) / 2, 2 * middle.y - (a.y + b.y) / 2};
    svg +=
        fmt::format("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" stroke=\"{}\" {}/>\n",
                    from.x, from.y, (from.x + whole.x) / 2, (from.y + whole.y) / 2, middle.x, middle.y,
                    line.is_colored ? fill_of(color) : "#9aa3ab", style);
  };
  half(a, line.color_at_u);
  half(b, line.color_at_v);
}

void draw_panel(std::string& svg, const DrawnPanel& panel, const GraphLayout& layout, double x, double y) {
  svg += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n", x, y);
  svg += fmt::format(
      "<text x=\"{:.0f}\" y=\"18\" class=\"title\" fill=\"currentColor\">{}</text>\n<g transform=\"translate(0 "
      "{:.0f})\">\n",
      kMargin - kRadius, escape_markup(panel.title), kTitle);
  for (const bool edges : {false, true})
    for (const DrawnLine& line : panel.lines)
      if (line.is_edge == edges) draw_line(svg, line, layout.points[line.u], layout.points[line.v]);
  for (Node v = 0; v < layout.points.size(); ++v) {
    const Point p = layout.points[v];
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.0f}\" fill=\"{}\" stroke=\"currentColor\"{}/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"color\">{}</text>\n",
        p.x, p.y, kRadius, fill_of(panel.node_colors[v]),
        panel.graph->has_self_loop(v) ? " stroke-width=\"4\"" : "", p.x, p.y + 4, panel.node_colors[v]);
  }
  svg += "</g>\n</g>\n";
}

}  // namespace

// On a page it takes the page's ink (currentColor) and leaves its own paper away (.paper); alone it is black on
// white.
std::string draw_panels(const std::vector<DrawnPanel>& panels, std::size_t columns) {
  std::string body;
  double width = 0;
  double height = 0;
  for (std::size_t first = 0; first < panels.size(); first += columns) {
    const GraphLayout layout = lay_out(*panels[first].graph, kMargin);
    const double panel_width = std::max(layout.width, 150.0);
    const std::size_t last = std::min(panels.size(), first + columns);
    for (std::size_t i = first; i < last; ++i)
      draw_panel(body, panels[i], layout, static_cast<double>(i - first) * panel_width, height);
    width = std::max(width, static_cast<double>(last - first) * panel_width);
    height += layout.height + kTitle;
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" class=\"coloring\">\n"
             "<style>.coloring text{{font-family:sans-serif}}.coloring .title{{font-size:14px}}"
             ".coloring .color{{font-size:11px;text-anchor:middle;fill:#000}}</style>\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"white\" class=\"paper\"/>\n",
             width, height) +
         body + "</svg>\n";
}

}  // namespace twofold::report
