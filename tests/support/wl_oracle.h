#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/wl/wl_test.h"

namespace twofold::testing {

// WL tests as their definitions read: nested loops, sorted signatures, std::map. No hashes, no shared code.

/// The colors of all objects of all graphs, refined together: one vector per graph. Objects are in the order of
/// wl::Coloring. Stops when stable, or after max_rounds if that is not negative. Ignores test.marks.
std::vector<std::vector<int>> wl_oracle_colors(const std::vector<Graph>& graphs, const wl::WlTest& test,
                                               int max_rounds = -1);

/// The class of each graph, numbered by the first graph; marks included.
std::vector<std::size_t> wl_oracle_classes(const std::vector<Graph>& graphs, const wl::WlTest& test);

bool wl_oracle_distinguishes(const wl::WlTest& test, const Graph& a, const Graph& b);

}  // namespace twofold::testing
