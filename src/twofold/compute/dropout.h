#pragma once

#include <cstddef>
#include <cstdint>

namespace twofold::compute {

// Random numbers by counting, not by drawing: the value at a place depends on the key and the place alone, so
// the same bits come from any number of threads. splitmix64 (Steele, Lea and Flood 2014).
inline std::uint64_t dropout_bits(std::uint64_t key, std::uint64_t place) {
  std::uint64_t z = key + (place + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The key of part, layer or stack number `index` below another key.
inline std::uint64_t dropout_key(std::uint64_t key, std::uint64_t index) { return dropout_bits(~key, index); }

/// `count` values: 0 for a share of `dropout` (in steps of 2^-16), else 1 / (1 - dropout). Four values from
/// each number.
template <typename T>
void fill_dropout_mask(double dropout, std::uint64_t key, std::size_t count, T* mask) {
  const auto threshold = static_cast<std::uint64_t>(dropout * 65536);
  const T kept = static_cast<T>(1 / (1 - dropout));
  for (std::size_t i = 0; i < count; i += 4) {
    std::uint64_t bits = dropout_bits(key, i / 4);
    for (std::size_t k = i; k < count && k < i + 4; ++k, bits >>= 16)
      mask[k] = (bits & 0xffff) < threshold ? T{0} : kept;
  }
}

}  // namespace twofold::compute
