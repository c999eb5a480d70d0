#pragma once

#include <cstdint>
#include <vector>

namespace twofold::train {

/// Of a batch's graphs in their order; for looking up batches that come again.
inline std::uint64_t hash_of(const std::vector<std::uint32_t>& graphs) {
  std::uint64_t hash = graphs.size();
  for (const std::uint32_t g : graphs) hash = (hash ^ g) * 0x9e3779b97f4a7c15u + (hash >> 29);
  return hash;
}

}  // namespace twofold::train
