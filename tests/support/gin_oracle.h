#pragma once

#include <cstdint>
#include <vector>

#include "twofold/compute/gin_net.h"
#include "twofold/graph/graph.h"

namespace twofold::testing {

/// A graph of a batch: features of `columns` values a node, its target, and what it counts in the loss.
struct GinGraph {
  Graph graph;
  std::vector<double> features;
  std::uint32_t cls = 0;
  std::vector<double> target;
  double weight = 1;
};

struct GinAnswer {
  // A row a graph, as in GinNet::Result.
  std::vector<std::vector<double>> outputs;
  std::vector<std::vector<double>> vectors;
  double loss = 0;
  // As given, with the running statistics moved on if it trains.
  std::vector<double> parameters;
};

/// compute::GinNet node by node in nested loops, without dropout.
GinAnswer plain_gin(const compute::GinNetShape& shape, const std::vector<double>& parameters,
                    const std::vector<GinGraph>& graphs, std::size_t columns, bool trains);

}  // namespace twofold::testing
