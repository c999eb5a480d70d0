#include "twofold/train/neighbor_weights.h"

#include "twofold/base/error.h"

namespace twofold::train {
namespace {

constexpr NeighborWeights kAll[] = {NeighborWeights::kNone, NeighborWeights::kSum, NeighborWeights::kMean,
                                    NeighborWeights::kGcn};

}  // namespace

std::size_t num_columns(NeighborWeights weights) {
  switch (weights) {
    case NeighborWeights::kNone:
      return 0;
    case NeighborWeights::kMean:
      return 2;
    default:
      return 1;
  }
}

NeighborWeights parse_neighbor_weights(const std::string& word) {
  for (const NeighborWeights weights : kAll)
    if (word == to_string(weights)) return weights;
  throw UsageError(fmt::format("needed neighbor weights none, sum, mean or gcn, found {}", in_quotes(word)));
}

const char* to_string(NeighborWeights weights) {
  switch (weights) {
    case NeighborWeights::kNone:
      return "none";
    case NeighborWeights::kSum:
      return "sum";
    case NeighborWeights::kMean:
      return "mean";
    case NeighborWeights::kGcn:
      return "gcn";
  }
  return "";
}

}  // namespace twofold::train
