#pragma once

#include "twofold/wl/coloring.h"

namespace twofold::wl {

/// The stable coloring of 1-wl of all graphs together, without rounds: color classes split each other until
/// none can (Cardon and Crochemore; Paige and Tarjan), the largest part of a split class never being used to
/// split. O((n + m) log n) for all graphs together, no hashes; num_rounds stays 0. One thread.
Coloring stable_vertices(Span<const Graph> graphs, const WlTest& test);

}  // namespace twofold::wl
