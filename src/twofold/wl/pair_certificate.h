#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/wl_test.h"

namespace twofold::wl {

/// Why two graphs are told apart, or that they are isomorphic: small, and checked from the graphs alone.
struct PairCertificate {
  enum class Verdict {
    kDistinguished,
    kIsomorphic,
    kNotToldApart,  // nothing to check
  };
  Verdict verdict = Verdict::kNotToldApart;

  // kDistinguished. Refine both graphs together by `test` for `rounds` rounds.
  //
  // Without marks: the color of the object `nodes` (a node, the two of a row, the k of a tuple) of graph
  // `graph` comes counts[0] times in the first graph and counts[1] times in the second, which differ. With
  // marks: `nodes` are marked in graph `graph`, the m-th with mark m. Of all ordered tuples of distinct nodes,
  // counts[0] of the first graph and counts[1] of the second give the same histogram of colors when they are
  // marked.
  WlTest test;  // the one that was asked for, or a weaker one (weaker_tests.h)
  std::size_t rounds = 0;
  int graph = 0;  // 0 or 1
  std::vector<Node> nodes;
  std::array<std::uint64_t, 2> counts = {0, 0};

  // kIsomorphic: image[v] of the second graph for each node v of the first.
  std::vector<Node> image;
};

/// The verdict is that of distinguishes(test, first, second), exactly. Costs as that; a round without marks is
/// compared without hashes. Throws as distinguishes does.
PairCertificate certify_pair(Span<const Graph> two, const WlTest& test, const ClassifyOptions& options = {});

}  // namespace twofold::wl
