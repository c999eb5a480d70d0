#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::report {

/// A line between two nodes, its half at u and its half at v in a color each.
struct DrawnLine {
  Node u;
  Node v;
  std::uint32_t color_at_u;
  std::uint32_t color_at_v;
  bool is_edge;     // else it is drawn thin, dashed and bent
  bool is_colored;  // else it is grey
};

/// One graph in one state.
struct DrawnPanel {
  std::string title;
  const Graph* graph;
  std::vector<std::uint32_t> node_colors;
  std::vector<DrawnLine> lines;
};

/// An SVG page of the panels, `columns` a line; the graph of a line's first panel is laid out by Graphviz's
/// neato and keeps its places along the line. Colors are numbers: each is a hue, and nodes also carry theirs as
/// text. It stands alone or on a page (Page::drawing), light or dark. Throws MissingProgram (filter.h) if neato
/// is not installed, Error if it fails.
std::string draw_panels(const std::vector<DrawnPanel>& panels, std::size_t columns);

}  // namespace twofold::report
