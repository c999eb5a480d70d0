#pragma once

#include <cstdint>

#include "twofold/graph/graph.h"

namespace twofold::testing {

/// k-fwl on two graphs without labels as one would write it in an hour: both graphs round by round, each
/// tuple's multiset packed into words, sorted, looked up in a std::map; stops when the histograms differ or are
/// stable. The opponent of the benchmarks. Needs k colors to fit into 64 bits. `items` is told how many (tuple,
/// w) it saw.
bool plain_fwl_distinguishes(int k, const Graph& a, const Graph& b, std::uint64_t* items = nullptr);

}  // namespace twofold::testing
