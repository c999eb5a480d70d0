#pragma once

#include <cstdint>
#include <vector>

#include "twofold/wl/ladder.h"

namespace twofold::wl {

/// Pairs of non-isomorphic graphs that are hard to tell apart, from rings to strongly regular graphs:
///
/// - `rings`: one ring of 2 m nodes against two of m, m = 3 to 26.
/// - `fused`: two rings of m nodes that share an edge against two of m - 1 joined by one, m = 4 to 13 (m = 6:
///   decalin and bicyclopentyl).
/// - `csl`: all pairs of the ten circular skip link graphs of 41 nodes.
/// - `rook`: the rook's graph and Shrikhande's.
/// - `srg`: further strongly regular pairs: T(8) and Chang's graphs (28 nodes), Paley's graph and a Latin
///   square's (25), Paley's and another net's (49), two Latin squares' of order 4 (16) and 8 (64).
/// - `cfi`: Cai, Fürer and Immerman's pairs over the triangle, K4 in both forms, K3,3, the prism, the cube, the
///   3 x 3 grid, and K5, 16 to 80 nodes.
/// - `regular-3`, `regular-4`: 20 random pairs each, of 20 nodes and degree 3, of 24 and degree 4. Isomorphic
///   ones are not looked for; with seed 1 there are none.
///
/// - `siamese`: the two edge-labelled graphs of generate_siamese.h, 15 nodes.
///
/// Only the random ones depend on the seed. Only `siamese` has labels.
std::vector<LadderFamily> ladder_families(std::uint64_t seed = 1);

}  // namespace twofold::wl
