#include "cli/coloring_drawing.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <sstream>

#include "twofold/base/error.h"

extern char** environ;

namespace twofold::cli {
namespace {

// What `program` prints when given `input`. The program must read all its input before it prints.
std::string run_filter(const char* program, const char* argument, const std::string& input) {
  std::array<int, 2> to = {};
  std::array<int, 2> from = {};
  if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0)
    throw Error(fmt::format("cannot start {}: {}", program, system_error_text(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], 0);
  posix_spawn_file_actions_adddup2(&actions, from[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::string name = program;
  std::string option = argument;
  char* arguments[] = {name.data(), option.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, program, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(to[0]);
  close(from[1]);
  if (error != 0) {
    close(to[1]);
    close(from[0]);
    throw Error(
        fmt::format("drawing needs the program {} (install Graphviz): {}", program, system_error_text(error)));
  }
  const auto old_handler = std::signal(SIGPIPE, SIG_IGN);
  for (std::size_t at = 0; at < input.size();) {
    const ssize_t written = write(to[1], input.data() + at, input.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    at += static_cast<std::size_t>(written);
  }
  close(to[1]);
  std::signal(SIGPIPE, old_handler);
  std::string output;
  std::array<char, 4096> buffer = {};
  for (;;) {
    const ssize_t size = read(from[0], buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    output.append(buffer.data(), static_cast<std::size_t>(size));
  }
  close(from[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(fmt::format("{} failed to lay out a graph", program));
  return output;
}

struct Point {
  double x = 0;
  double y = 0;
};

struct Layout {
  std::vector<Point> points;
  double width = 0;
  double height = 0;
};

constexpr double kMargin = 34;
constexpr double kTitle = 26;
constexpr double kRadius = 12;

// Nothing but numbers goes into the script.
Layout lay_out(const Graph& graph) {
  std::string script = "graph {\nnode [shape=circle, width=0.3, fixedsize=true];\nedge [len=0.9];\n";
  for (Node v = 0; v < graph.num_nodes(); ++v) script += fmt::format("{};\n", v);
  for (const Edge e : graph.edges()) script += fmt::format("{} -- {};\n", e.u, e.v);
  script += "overlap=false;\n}\n";
  std::istringstream plain(run_filter("neato", "-Tplain", script));
  Layout layout;
  layout.points.resize(graph.num_nodes());
  std::string line;
  while (std::getline(plain, line)) {
    std::istringstream words(line);
    std::string kind;
    std::size_t v = 0;
    Point p;
    if (!(words >> kind) || kind != "node" || !(words >> v >> p.x >> p.y) || v >= layout.points.size())
      continue;
    layout.points[v] = p;
  }
  if (layout.points.empty()) return {{}, 2 * kMargin, 2 * kMargin};
  const auto [left, right] = std::minmax_element(layout.points.begin(), layout.points.end(),
                                                 [](Point a, Point b) { return a.x < b.x; });
  const auto [bottom, top] = std::minmax_element(layout.points.begin(), layout.points.end(),
                                                 [](Point a, Point b) { return a.y < b.y; });
  const Point corner = {left->x, top->y};
  constexpr double kScale = 130;  // an inch of neato's
  layout.width = (right->x - left->x) * kScale + 2 * kMargin;
  layout.height = (top->y - bottom->y) * kScale + 2 * kMargin;
  for (Point& p : layout.points) p = {(p.x - corner.x) * kScale + kMargin, (corner.y - p.y) * kScale + kMargin};
  return layout;
}

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
                    line.is_colored ? fill_of(color) : "#bbb", style);
  };
  half(a, line.color_at_u);
  half(b, line.color_at_v);
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

void draw_panel(std::string& svg, const DrawnPanel& panel, const Layout& layout, double x, double y) {
  svg += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n", x, y);
  svg += fmt::format(
      "<text x=\"{:.0f}\" y=\"18\" class=\"title\">{}</text>\n<g transform=\"translate(0 {:.0f})\">\n",
      kMargin - kRadius, escaped(panel.title), kTitle);
  for (const bool edges : {false, true})
    for (const DrawnLine& line : panel.lines)
      if (line.is_edge == edges) draw_line(svg, line, layout.points[line.u], layout.points[line.v]);
  for (Node v = 0; v < layout.points.size(); ++v) {
    const Point p = layout.points[v];
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.0f}\" fill=\"{}\" stroke=\"#333\"{}/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"color\">{}</text>\n",
        p.x, p.y, kRadius, fill_of(panel.node_colors[v]),
        panel.graph->has_self_loop(v) ? " stroke-width=\"4\"" : "", p.x, p.y + 4, panel.node_colors[v]);
  }
  svg += "</g>\n</g>\n";
}

}  // namespace

std::string draw_panels(const std::vector<DrawnPanel>& panels, std::size_t columns) {
  std::string body;
  double width = 0;
  double height = 0;
  for (std::size_t first = 0; first < panels.size(); first += columns) {
    const Layout layout = lay_out(*panels[first].graph);
    const double panel_width = std::max(layout.width, 150.0);
    const std::size_t last = std::min(panels.size(), first + columns);
    for (std::size_t i = first; i < last; ++i)
      draw_panel(body, panels[i], layout, static_cast<double>(i - first) * panel_width, height);
    width = std::max(width, static_cast<double>(last - first) * panel_width);
    height += layout.height + kTitle;
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
             "<style>text{{font-family:sans-serif}}.title{{font-size:14px}}"
             ".color{{font-size:11px;text-anchor:middle}}</style>\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
             width, height) +
         body + "</svg>\n";
}

}  // namespace twofold::cli
