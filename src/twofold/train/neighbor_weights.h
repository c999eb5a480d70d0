#pragma once

#include <cstddef>
#include <string>

namespace twofold::train {

/// How much a node counts in a neighbor's sum, as columns of features of pairs: the w_ij of the paper's
/// Def. 4.4. They follow from the graph's structure alone.
enum class NeighborWeights {
  kNone,  // no columns
  kSum,   // gin: a column with 1 on edges and on the loops of nodes that are their own neighbors, 0 elsewhere
  kMean,  // sage: the same; and a column with 1 / number of neighbors on loops, 0 elsewhere and without
          // neighbors
  kGcn,   // gcn: a column with 1 / sqrt((degree + 1) (degree + 1)) of the two ends, on edges and loops
};

std::size_t num_columns(NeighborWeights weights);

/// `none`, `sum`, `mean`, `gcn`. Throws UsageError for another word.
NeighborWeights parse_neighbor_weights(const std::string& word);
const char* to_string(NeighborWeights weights);

}  // namespace twofold::train
