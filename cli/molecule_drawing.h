#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/report/graph_layout.h"

namespace twofold::cli {

/// Red, green and blue from 0 to 1.
using DrawnColor = std::array<double, 3>;

/// A molecule drawn by RDKit: elements of an SVG picture of that size, and where its atoms are.
struct MoleculeDrawing {
  double width = 0;
  double height = 0;
  std::string elements;
  std::vector<report::Point> atoms;
};

/// Draws the molecule with these atoms and bonds in color; nothing there stays as it is. Nothing if RDKit is
/// not there or cannot draw it: `graph` must be read from the SMILES, atoms in its order.
std::optional<MoleculeDrawing> draw_molecule(const std::string& smiles, const Graph& graph,
                                             const std::vector<std::optional<DrawnColor>>& atoms,
                                             const std::vector<std::pair<Edge, DrawnColor>>& bonds);

}  // namespace twofold::cli
