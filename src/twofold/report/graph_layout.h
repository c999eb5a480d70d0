#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"

namespace twofold::report {

struct Point {
  double x = 0;
  double y = 0;
};

/// Where the nodes of a drawing stand, in pixels, y downwards.
struct GraphLayout {
  std::vector<Point> points;  // one per node
  double width = 0;
  double height = 0;
};

/// What neato lays out within a minute, and a reader can follow.
inline constexpr std::size_t kMostDrawnNodes = 2000;
inline constexpr std::size_t kMostDrawnEdges = 20000;

/// Throws Error that tells the limits if the graphs of one drawing have more nodes or edges together; `instead`
/// ends the message with what to do. For callers that would work long before they draw.
void require_drawable(Span<const Graph> graphs, const std::string& instead);

/// Lays a graph out by Graphviz's neato, `margin` pixels away from every border. The same graph gets the same
/// places from one version of Graphviz. Needs no more nodes and edges than the limits. Throws MissingProgram
/// (filter.h) if neato is not installed, Error if it fails.
GraphLayout lay_out(const Graph& graph, double margin);

}  // namespace twofold::report
