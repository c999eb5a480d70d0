#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/levels/level_cutter.h"
#include "twofold/levels/neighbor_levels.h"

namespace twofold::testing {

/// What a learner that adds up neighbors computes, in whole numbers modulo 2^64 so that every way of computing
/// it gives the same: z' = x^2 + 7 x with x = 3 z + 5 z0 + (sum over neighbors), z0 a random-looking number of
/// the initial features.

/// Node by node: the sum over all nodes after so many rounds. With degrees an edge weighs the product of its
/// ends' degrees.
std::uint64_t plain_vertex_sum(const Graph& g, int rounds, bool self_loops, bool degrees);

/// Row by row: over all loops and edges, or the loops alone, whose neighbors are those they share a node with:
/// a loop and an edge at it, two edges, never two loops.
std::uint64_t plain_edge_sum(const Graph& g, int rounds, bool loops_only);

/// On the levels of a batch: one per row of every level.
std::vector<std::vector<std::uint64_t>> neighbor_values(const levels::BatchLevels<pairs::Row>& batch,
                                                        const levels::NeighborLevels& levels,
                                                        Span<const Graph> graphs, bool self_loops,
                                                        bool degrees);

}  // namespace twofold::testing
