#pragma once

#include <vector>

#include "twofold/compute/pair_net.h"
#include "twofold/graph/graph.h"

namespace twofold::testing {

/// A graph with dense features, a row of `shape.stack.in` values for each of its pairs.
struct PlainGraph {
  Graph graph;
  std::vector<double> features;
  std::uint32_t cls = 0;
  std::vector<double> target;
  double weight = 1;
};

/// What the network of that shape gives for one graph, by nested loops over the definition in double.
std::vector<double> plain_net(const compute::PairNetShape& shape, const std::vector<double>& parameters,
                              const PlainGraph& graph, pairs::Radius radius);

/// The sum of weight times loss over graphs.
double plain_net_loss(const compute::PairNetShape& shape, const std::vector<double>& parameters,
                      const std::vector<PlainGraph>& graphs, pairs::Radius radius);

}  // namespace twofold::testing
