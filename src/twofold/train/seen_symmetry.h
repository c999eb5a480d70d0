#pragma once

#include "twofold/train/encoded_dataset.h"
#include "twofold/wl/symmetry.h"

namespace twofold::train {

/// The automorphisms of a graph as a network reads it: they keep node labels, self-loops and, where the layout
/// has columns for them, edge labels and attributes. Nodes that one maps to the other give the same marked
/// graph. Found as wl::find_symmetry does, with its limits.
wl::Symmetry seen_symmetry(const Graph& graph, const InputLayout& layout);

}  // namespace twofold::train
