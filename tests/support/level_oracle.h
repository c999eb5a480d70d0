#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/levels/color_levels.h"
#include "twofold/levels/level_cutter.h"
#include "twofold/pairs/radius.h"

namespace twofold::testing {

/// What a network of `rounds` convolutions pools from a graph, in whole numbers modulo 2^64 so that every way
/// of computing it gives the same: z' = 3 z + 5 z0 + z * (sum over triples of (z_a + z_b)^2 + 1), z0 a
/// random-looking number of the initial features; sums over all rows, and over the loops.
struct PooledSums {
  std::uint64_t rows = 0;
  std::uint64_t loops = 0;
};
inline bool operator==(PooledSums a, PooledSums b) { return a.rows == b.rows && a.loops == b.loops; }

/// Row by row, by the plain loops of pair_oracle.h. Features are as pairs::write_features has them in float, or
/// without attributes.
std::vector<PooledSums> plain_sums(Span<const Graph> graphs, pairs::Radius radius, int rounds, bool indicators,
                                   bool attributes);

/// z on the levels of a batch: one per row of every level. `initial` as in level_sums.
std::vector<std::vector<std::uint64_t>> level_values(const levels::BatchLevels<pairs::RowPair>& batch,
                                                     const std::vector<std::uint64_t>& initial);

/// On the levels of a batch. `initial` has one z0 for each row of level 0 of the dataset.
std::vector<PooledSums> level_sums(const levels::BatchLevels<pairs::RowPair>& batch,
                                   const std::vector<std::uint64_t>& initial);

/// z0 of every row of level 0.
std::vector<std::uint64_t> initial_values(const levels::ColorLevels& levels, Span<const Graph> graphs,
                                          bool indicators, bool attributes);

}  // namespace twofold::testing
