#pragma once

#include <cstdint>
#include <vector>

#include "twofold/gram/gram_matrix.h"
#include "twofold/gram/kernel.h"
#include "twofold/graph/graph.h"

namespace twofold::testing {

// Graph kernels as their definitions read: nested loops, sorted signatures, std::map. No hashes, no shared
// code.

/// How often graph g has feature f of all rounds, [g][f], numbered over all graphs: a dense table.
std::vector<std::vector<std::int64_t>> oracle_features(const std::vector<Graph>& graphs,
                                                       const gram::Kernel& kernel);

gram::GramMatrix oracle_gram(const std::vector<Graph>& graphs, const gram::Kernel& kernel);

}  // namespace twofold::testing
