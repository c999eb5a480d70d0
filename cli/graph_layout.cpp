#include "cli/graph_layout.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
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
    throw Error(fmt::format("drawing needs the program {} (install Graphviz, package graphviz): {}", program,
                            system_error_text(error)));
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

}  // namespace

GraphLayout lay_out(const Graph& graph, double margin) {
  // Nothing but numbers goes into the script.
  std::string script = "graph {\nnode [shape=circle, width=0.3, fixedsize=true];\nedge [len=0.9];\n";
  for (Node v = 0; v < graph.num_nodes(); ++v) script += fmt::format("{};\n", v);
  for (const Edge e : graph.edges()) script += fmt::format("{} -- {};\n", e.u, e.v);
  script += "overlap=false;\n}\n";
  std::istringstream plain(run_filter("neato", "-Tplain", script));
  GraphLayout layout;
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
  if (layout.points.empty()) return {{}, 2 * margin, 2 * margin};
  const auto [left, right] = std::minmax_element(layout.points.begin(), layout.points.end(),
                                                 [](Point a, Point b) { return a.x < b.x; });
  const auto [bottom, top] = std::minmax_element(layout.points.begin(), layout.points.end(),
                                                 [](Point a, Point b) { return a.y < b.y; });
  const Point corner = {left->x, top->y};
  constexpr double kScale = 130;  // an inch of neato's
  layout.width = (right->x - left->x) * kScale + 2 * margin;
  layout.height = (top->y - bottom->y) * kScale + 2 * margin;
  for (Point& p : layout.points) p = {(p.x - corner.x) * kScale + margin, (corner.y - p.y) * kScale + margin};
  return layout;
}

}  // namespace twofold::cli
