#pragma once

#include "twofold/compute/pair_sum.h"

namespace twofold::compute {

/// The gradient of pair_sum_fused on levels: each triple's slope is found once and added to both of its
/// sources. Threads share the channels, not the triples, so that no two write to one place and the bits stay
/// the same.
///
/// Needs a plan of levels only, and g padded and aligned. (Where a batch is cut out of levels for one pass
/// alone, turning its triples around for a gather costs more than it saves.)
template <typename T>
void pair_sum_backward_scatter(const PairSumArgs<T>& args);

}  // namespace twofold::compute
