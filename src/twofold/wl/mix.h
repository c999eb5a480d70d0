#pragma once

#include <cstdint>

namespace twofold::wl {

// The hashes of colors. They only ever speed things up: equal hashes are compared exactly before anything is
// called equal (certify.h). All of it is frozen, because fingerprints (fingerprint.h) are made of it.

/// A bijection of 64-bit numbers that lets every bit reach every other (the finalizer of splitmix64).
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A hash of an ordered pair.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return mix(a * 0xd6e8feb86659fd93u + b); }

/// The product of the sums of the halves, each modulo 2^32 (NH, of UMAC): symmetric, and summed over the items
/// of a multiset of pairs it is a bilinear form in the halves, so that for random halves different multisets
/// get different sums. One multiplication; four at a time in AVX2 (tuple_sums.cpp computes the same numbers).
inline std::uint64_t pair_product(std::uint64_t a, std::uint64_t b) {
  const auto low = static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b);
  const auto high = static_cast<std::uint32_t>(a >> 32) + static_cast<std::uint32_t>(b >> 32);
  return static_cast<std::uint64_t>(low) * high;
}

}  // namespace twofold::wl
