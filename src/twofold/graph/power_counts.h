#pragma once

#include <cstdint>

#include "twofold/graph/power.h"

namespace twofold::graph {

/// What the 2-WL convolution has rows and triples for.
struct PowerCounts {
  std::uint64_t pairs = 0;
  std::uint64_t triples = 0;
};

/// Both, of a graph whose twins are put together first: only the balls of their classes are held, so a star of
/// a million nodes is counted at once. Throws Error if these balls would need more than `max_bytes`, and for
/// 2^64 triples or more.
PowerCounts count_power(const Graph& g, PowerRadius radius, std::uint64_t max_bytes = kNoLimit);

}  // namespace twofold::graph
