#pragma once

#include "twofold/compute/pair_sum.h"

namespace twofold::compute {

/// The gradient of pair_sum_fused on levels, as pair_sum_backward_fused gives it, without their reverse lists:
/// each triple's slope is found once and added to both of its sources. Threads share the channels, not the
/// triples, so that no two write to one place and the bits stay the same.
///
/// Needs a plan of levels only. Where a batch is cut out of levels for one pass alone, finding the reverse
/// lists costs more than they save.
template <typename T>
void pair_sum_backward_scatter(const PairSumArgs<T>& args);

}  // namespace twofold::compute
