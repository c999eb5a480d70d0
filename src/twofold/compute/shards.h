#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/base/group.h"

namespace twofold::compute {

/// A batch cut into shards. Which process computes a shard changes no bit: what shards give is added up in an
/// order that depends on their number alone.
struct Shards {
  std::size_t count = 1;
  // Those that this process computes.
  std::size_t first = 0;
  std::size_t own = 1;
  // Of the processes that have the others; null: there are none.
  Group* group = nullptr;

  Shards() = default;
  /// Ranks get as many each, as far as possible, one after the other.
  Shards(std::size_t count, Group* group);

  std::size_t first_of(int rank) const;
};

/// `blocks` has `size` values per shard, those of the own ones given; the others are filled in.
void gather(const Shards& shards, std::size_t size, std::vector<double>& blocks);

/// The sum of all shards' values: of two halves, each of two halves, …, down to single shards. A process gives
/// the others the sums of those parts that it has whole.
///
/// `own` has `size` values per own shard and is overwritten, `sum` has `size`. With the message goes one of the
/// caller's, and everybody's is returned by rank.
template <typename T>
std::vector<std::string> sum_shards(const Shards& shards, std::size_t size, T* own, T* sum,
                                    const std::string& message);

}  // namespace twofold::compute
