#pragma once

#include <cstdint>
#include <vector>

#include "twofold/wl/ladder.h"

namespace twofold::wl {

/// 400 pairs of non-isomorphic graphs that 1-wl does not tell apart, in the kinds of the benchmark BREC (Wang
/// and Zhang 2024), up to 198 nodes:
///
/// - `basic` (60): 10 nodes in two or three cells, of which each sees each other one equally often.
/// - `regular` (50): connected regular graphs of 8 to 16 nodes, degree 3 to 5.
/// - `extension` (100): two double covers of one graph of 7 to 10 nodes.
/// - `srg` (68): strongly regular: Chang's graphs, the rook's and Shrikhande's, Paley's and a Latin square's,
/// Latin squares'
///   of order 6, 7 and 8.
/// - `4-vertex` (2): the points of the generalized quadrangles W(q) and Q(4, q), q = 3 and 5 (40 and 156
/// nodes), which
///   are strongly regular with the 4-vertex condition.
/// - `distance` (20): distance-regular: the bipartite doubles of Latin squares' graphs of order 6 (72 nodes).
/// - `cfi` (100): Cai, Fürer and Immerman's pairs over random bases of treewidth 2 (60), 3 (20) and 4 (20), 20
/// to 198
///   nodes.
///
/// Without labels. No pair is isomorphic: the small ones by nauty, those of random Latin squares because 2-fwl
/// with one mark tells them apart, those of cfi by theorem. Some seconds.
std::vector<LadderFamily> hard_families(std::uint64_t seed = 1);

}  // namespace twofold::wl
