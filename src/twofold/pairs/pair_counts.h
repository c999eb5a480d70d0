#pragma once

#include <cstdint>

#include "twofold/graph/power.h"
#include "twofold/pairs/radius.h"

namespace twofold::pairs {

/// How large an encoding will be. Everything adds up over graphs but the two maxima.
struct PairCounts {
  std::uint64_t rows = 0;
  std::uint64_t triples = 0;
  // Of the largest graph.
  std::uint64_t max_rows = 0;
  std::uint64_t max_triples = 0;
  // Exactly the bytes of the PairSets with and without stored triples.
  std::uint64_t stored_memory = 0;
  std::uint64_t implicit_memory = 0;

  /// With those of other graphs.
  PairCounts& operator+=(const PairCounts& more);
};

/// Counts the pairs and triples of one graph without building them: 8 bytes a ball entry of classes of twins
/// are all it holds, and at most 256 MiB of bits where those are faster. O(sum over rows of the smaller ball,
/// or of n/64). Throws Error if there are 2^64 triples or more, or if the balls would need more than
/// `max_memory`.
PairCounts count_pairs(const Graph& g, Radius radius, std::uint64_t max_memory = graph::kNoLimit);

/// Of all graphs together, in what memory is left. No graphs give zeros. The same for any number of threads.
PairCounts count_pairs(Span<const Graph> graphs, Radius radius, int threads = 0);

}  // namespace twofold::pairs
