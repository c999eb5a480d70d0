#pragma once

#include <cstdint>

#include "twofold/graph/dataset.h"

namespace twofold::testing {

/// A few random graphs with node labels, node attributes, edge labels, edge attributes, self-loops, isolated
/// nodes, classes and real targets, or, by the seed's bits, without some of these. Every graph has nodes.
Dataset rich_dataset(std::uint64_t seed);

}  // namespace twofold::testing
