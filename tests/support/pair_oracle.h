#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/pairs/radius.h"

namespace twofold::testing {

/// Rows and triples straight from their definition: all distances by Floyd and Warshall, all i ≤ j, all l.
struct PlainPairs {
  std::vector<std::array<Node, 2>> rows;  // loops by node, then i < j by (i, j)
  // Of each row the pairs of rows ({i,l}, {l,j}): l = i, l = j, then ascending.
  std::vector<std::vector<std::array<std::size_t, 2>>> triples;
  std::size_t num_triples() const;
};
PlainPairs plain_pairs(const Graph& g, pairs::Radius radius);

/// A function and its slope.
struct PlainActivation {
  std::function<double(double)> value;
  std::function<double(double)> slope;
};
/// `identity`, `relu` (slope 0 at 0), `logistic`, `tanh`.
PlainActivation plain_activation(const char* name);

/// sums[f] = sum over the triples (a, b) of row f of act(z[a] + z[b]), in double, feature by feature.
std::vector<double> plain_pair_sum(const PlainPairs& pairs, const std::vector<double>& z, std::size_t d,
                                   const PlainActivation& activation);

/// The gradient of sum(g * plain_pair_sum(z)) by z: every triple hands its slope to both of its rows.
std::vector<double> plain_pair_sum_gradient(const PlainPairs& pairs, const std::vector<double>& z,
                                            const std::vector<double>& g, std::size_t d,
                                            const PlainActivation& activation);

}  // namespace twofold::testing
