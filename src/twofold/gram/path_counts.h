#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "twofold/gram/twin_graph.h"

namespace twofold::gram {

/// `count` ordered pairs of different vertices, the first of color a, the second of color b, at distance d.
/// a <= b; where a < b there are as many in the other order, which are not told again.
struct PathCount {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t distance;
  std::uint64_t count;
};

/// Tells for each round t the pairs of vertices at finite distance, counted by colors and distance, each
/// combination once. `colors` has the color of vertex v in round t at t · n + v; the colors of a round must
/// refine those before. A combination with kNoColor is not told.
///
/// A breadth-first search from each class of twins: O(q (q + edges between classes) + q² rounds) for q classes.
/// Memory: for each round, distances times colors.
void count_paths(const TwinGraph& twins, const std::vector<std::uint32_t>& colors, std::size_t num_rounds,
                 const std::function<void(std::size_t t, const PathCount&)>& tell);

/// The distances from one class of twins to all: kUnreachable where there is no path, and for the class itself
/// that between two of its members.
inline constexpr std::uint32_t kUnreachable = 0xffffffffu;
void distances_from(const TwinGraph& twins, std::uint32_t source, std::vector<std::uint32_t>& distances);

}  // namespace twofold::gram
