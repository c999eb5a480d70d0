#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::wl {

/// What two places of a tuple are to each other from the start, for all pairs of nodes of a graph.
class TupleRelations {
 public:
  TupleRelations() = default;
  /// code(v, i) is that of the i-th neighbor of v.
  template <typename Code>
  TupleRelations(const Graph& graph, Code code) : n_(graph.num_nodes()), relation_(n_ * n_, 0) {
    for (Node v = 0; v < n_; ++v) {
      relation_[v * n_ + v] = kSame;
      const auto neighbors = graph.neighbors(v);
      for (std::size_t i = 0; i < neighbors.size(); ++i) relation_[v * n_ + neighbors[i]] = code(v, i);
    }
  }

  /// 0 for two different nodes that are no edge, the edge's code for an edge, a number of its own for one node.
  std::uint64_t operator()(std::size_t u, std::size_t v) const { return relation_[u * n_ + v]; }

 private:
  static constexpr std::uint64_t kSame = 2;  // an edge's code is 1 or at least 2^32
  std::size_t n_ = 0;
  std::vector<std::uint64_t> relation_;
};

/// A value as it is seen in place j, factor being mix(j) | 1: hashes of the places must be unlike each other,
/// and are hashes already.
inline std::uint64_t in_place(std::uint64_t value, std::uint64_t factor) {
  value *= factor;
  return value ^ (value >> 32);
}

}  // namespace twofold::wl
