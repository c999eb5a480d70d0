#pragma once

#include <cstddef>
#include <cstdint>

#include "twofold/base/random.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

// Not molecules of nature, but graphs with what makes those easy and hard for learners: bounded valence, a few
// node and edge labels, chains and small rings.

/// Node labels of the graphs below, hydrogens left out, and how many bonds each takes at the most.
enum class Element : Label { kCarbon = 0, kNitrogen = 1, kOxygen = 2, kFluorine = 3 };
constexpr int valence(Element element) {
  return element == Element::kCarbon     ? 4
         : element == Element::kNitrogen ? 3
         : element == Element::kOxygen   ? 2
                                         : 1;
}

/// A connected graph of n atoms grown from chains and rings of 5 and 6 atoms. Node labels are elements, edge
/// labels bond orders 1, 2 and 3; an atom's bond orders add up to at most its valence.
///
/// With `fused` some two rings share a bond (as in decalin); without, every bond lies on at most one ring (as
/// in bicyclopentyl, which 1-WL cannot tell from decalin). Fused ones need n >= 8, others n >= 1, else
/// UsageError.
Graph random_molecule(std::size_t n, bool fused, Random& random);

struct MoleculesOptions {
  std::size_t min_nodes = 10;
  std::size_t max_nodes = 30;  // every number of atoms from min_nodes to max_nodes is equally likely
  std::size_t num_graphs = 200;
};

/// Random molecules, alternately without fused rings (class 0) and with them (class 1).
/// Throws UsageError for min_nodes < 8 and min_nodes > max_nodes.
Dataset generate_molecules(const MoleculesOptions& options = {}, std::uint64_t seed = 1);

}  // namespace twofold::graph
