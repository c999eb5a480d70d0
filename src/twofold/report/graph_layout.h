#pragma once

#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::report {

struct Point {
  double x = 0;
  double y = 0;
};

/// Where the nodes of a drawing stand, in pixels, y downwards.
struct GraphLayout {
  std::vector<Point> points;  // one a node
  double width = 0;
  double height = 0;
};

/// Lays a graph out by Graphviz's neato, `margin` pixels away from every border. The same graph gets the same
/// places from one version of Graphviz. Throws MissingProgram (filter.h) if neato is not installed, Error if it
/// fails.
GraphLayout lay_out(const Graph& graph, double margin);

}  // namespace twofold::report
