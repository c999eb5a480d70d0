#pragma once

#include <cstdint>

#include "twofold/graph/dataset.h"

namespace twofold::graph {

enum class TriangleDensities {
  // As the paper's experiments made their data: a number of attempts at edges follows from the density, and
  // attempts that hit an edge again or would close a triangle are lost. m/n² comes out at 0.07…0.25.
  kRecipe,
  // As the paper's text says: exactly the fraction 1/4 or 1/2 of the n² ordered pairs is adjacent, m = n²/8 or
  // n²/4
  // (rounded down). As a fraction of edges, half of n² is more than a simple graph has.
  kPaper,
};

struct TriangleOptions {
  TriangleDensities densities = TriangleDensities::kRecipe;
};

/// The dataset TRIANGLE: 228 graphs whose nodes have the label 0 or 1 and in which exactly one triangle has
/// three nodes of one label; that label is the class (`0` or `1`, 114 each). Nodes 0, 1, 2 are that triangle.
///
/// For each s in 3…9, label proportion 1:1, 1:3 and 3:1, density 1/4 and 1/2 and class, in this order, there
/// are three graphs of s or 3s nodes of the class's label followed by s or 3s of the other, as far as that is
/// at most 33 nodes: 6 to 32. The paper's own files hold self-loops besides; here there are none, and edges are
/// drawn anew from `seed`.
///
/// Edges are drawn within each label, where one that would close a triangle is left out, and between labels,
/// where none can close a unicolored one; so there is no second triangle, whatever the order. Nodes may be
/// isolated.
Dataset generate_triangle(std::uint64_t seed = 1, const TriangleOptions& options = {});

}  // namespace twofold::graph
