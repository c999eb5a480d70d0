#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/span.h"

namespace twofold::train {

/// Which positions of a batch go into which shard, ascending within each: two halves of about equal cost, each
/// of two halves, …, so that ranks that have several shards each are as even. The most costly come first, each
/// to the half that has less; the first shard has one unless there are none.
std::vector<std::vector<std::uint32_t>> cut_into_shards(Span<const std::uint64_t> costs, std::size_t count);

}  // namespace twofold::train
