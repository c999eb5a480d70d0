#include "cli/molecule_drawing.h"

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"
#include "twofold/io/rdkit.h"

namespace twofold::cli {

std::optional<MoleculeDrawing> draw_molecule(const std::string& smiles, const Graph& graph,
                                             const std::vector<std::optional<DrawnColor>>& atoms,
                                             const std::vector<std::pair<Edge, DrawnColor>>& bonds) {
  const TwofoldRdkit* module = nullptr;
  try {
    module = &io::rdkit("drawing a molecule");
  } catch (const Error&) {
    return std::nullopt;
  }
  std::vector<double> atom_colors, bond_colors, points(2 * graph.num_nodes());
  std::vector<int> ends;
  for (std::size_t i = 0; i < graph.num_nodes(); ++i) {
    const DrawnColor color = i < atoms.size() && atoms[i] ? *atoms[i] : DrawnColor{-1, -1, -1};
    atom_colors.insert(atom_colors.end(), color.begin(), color.end());
  }
  for (const auto& [edge, color] : bonds) {
    ends.insert(ends.end(), {static_cast<int>(edge.u), static_cast<int>(edge.v)});
    bond_colors.insert(bond_colors.end(), color.begin(), color.end());
  }
  // About 30 pixels per bond, as Graphviz's drawings have.
  const double side = std::clamp(110 + 52 * std::sqrt(static_cast<double>(graph.num_nodes())), 220.0, 900.0);
  MoleculeDrawing drawing;
  drawing.width = std::round(side * 1.35);
  drawing.height = std::round(side);
  TwofoldDrawing asked{};
  asked.smiles = smiles.c_str();
  asked.width = static_cast<int>(drawing.width);
  asked.height = static_cast<int>(drawing.height);
  asked.num_atoms = static_cast<int>(graph.num_nodes());
  asked.atom_colors = atom_colors.data();
  asked.num_bonds = static_cast<int>(bonds.size());
  asked.bond_ends = ends.data();
  asked.bond_colors = bond_colors.data();
  asked.atom_points = points.data();
  char* const text = module->draw(&asked);
  if (text == nullptr) return std::nullopt;
  const std::string picture = text;
  module->release_text(text);
  const std::string header = "<!-- END OF HEADER -->";
  const auto begin = picture.find(header), end = picture.rfind("</svg>");
  if (begin == std::string::npos || end == std::string::npos) return std::nullopt;
  drawing.elements = picture.substr(begin + header.size(), end - begin - header.size());
  if (graph.num_nodes() == 0) return drawing;
  // RDKit keeps a molecule's shape within the given picture: what is empty beside it is cut off.
  constexpr double kMargin = 34;
  report::Point least = {points[0], points[1]}, most = least;
  for (std::size_t i = 0; i < graph.num_nodes(); ++i) {
    least = {std::min(least.x, points[2 * i]), std::min(least.y, points[2 * i + 1])};
    most = {std::max(most.x, points[2 * i]), std::max(most.y, points[2 * i + 1])};
  }
  drawing.width = most.x - least.x + 2 * kMargin;
  drawing.height = most.y - least.y + 2 * kMargin;
  drawing.elements = fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}</g>\n", kMargin - least.x,
                                 kMargin - least.y, drawing.elements);
  for (std::size_t i = 0; i < graph.num_nodes(); ++i)
    drawing.atoms.push_back({points[2 * i] - least.x + kMargin, points[2 * i + 1] - least.y + kMargin});
  return drawing;
}

}  // namespace twofold::cli
