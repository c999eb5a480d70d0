#include "twofold/report/graph_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "twofold/report/filter.h"

namespace twofold::report {

void require_drawable(Span<const Graph> graphs, const std::string& instead) {
  std::size_t nodes = 0;
  std::size_t edges = 0;
  for (const Graph& g : graphs) {
    nodes += g.num_nodes();
    edges += g.num_edges();
  }
  if (nodes <= kMostDrawnNodes && edges <= kMostDrawnEdges) return;
  throw Error(fmt::format("a drawing has at most {} nodes and {} edges, this one would have {} and {}; {}",
                          kMostDrawnNodes, kMostDrawnEdges, nodes, edges, instead));
}

GraphLayout lay_out(const Graph& graph, double margin) {
  require_drawable({&graph, 1}, "it is too large");
  // Nothing but numbers goes into the script.
  std::string script = "graph {\nnode [shape=circle, width=0.3, fixedsize=true];\nedge [len=0.9];\n";
  for (Node v = 0; v < graph.num_nodes(); ++v) script += fmt::format("{};\n", v);
  for (const Edge e : graph.edges()) script += fmt::format("{} -- {};\n", e.u, e.v);
  script += "overlap=false;\n}\n";
  std::istringstream plain(run_filter(kNeato, {"-Tplain"}, script));
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

}  // namespace twofold::report
