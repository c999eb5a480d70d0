#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/wl/objects.h"

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

/// How the colors of a tuple's places are packed into the words of an item of its signature.
class PlacePacking {
 public:
  PlacePacking(std::size_t num_places, int color_bits)
      : color_bits_(color_bits),
        a_word_(64 / static_cast<std::size_t>(color_bits)),
        words_((num_places + a_word_ - 1) / a_word_) {}

  /// Words per item.
  std::size_t words() const { return words_; }
  /// Puts colors[0], colors[stride], … into `place` of items 0, 1, …, n-1.
  void put(std::size_t place, const Color* colors, std::size_t stride, std::size_t n,
           std::vector<std::uint64_t>& items) const {
    const auto shift = static_cast<int>(place % a_word_) * color_bits_;
    std::uint64_t* const first = items.data() + place / a_word_;
    if (words_ == 1)
      for (std::size_t w = 0; w < n; ++w) first[w] |= std::uint64_t{colors[w * stride]} << shift;
    else
      for (std::size_t w = 0; w < n; ++w) first[w * words_] |= std::uint64_t{colors[w * stride]} << shift;
  }

 private:
  int color_bits_;
  std::size_t a_word_;
  std::size_t words_;
};

}  // namespace twofold::wl
