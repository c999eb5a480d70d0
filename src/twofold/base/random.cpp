#include "twofold/base/random.h"

#include <cmath>

#include "twofold/base/error.h"

namespace twofold {
namespace {

std::uint64_t rotate_left(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

// SplitMix64: spreads a counter over 64 bits. Used only to fill states from seeds.
std::uint64_t next_split_mix(std::uint64_t& counter) {
  counter += 0x9e3779b97f4a7c15u;
  std::uint64_t z = counter;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed) : seed_(seed) {
  std::uint64_t counter = seed;
  for (auto& word : state_) word = next_split_mix(counter);
}

Random Random::stream(std::uint64_t index) const {
  // Two rounds, so that stream(a).stream(b) and stream(b).stream(a) differ.
  std::uint64_t counter = seed_;
  std::uint64_t mixed = next_split_mix(counter) ^ index;
  return Random(next_split_mix(mixed));
}

std::uint64_t Random::bits() {
  const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  TWOFOLD_CHECK(bound > 0);
  // The lowest 2^64 mod bound values are drawn again; the rest divide evenly.
  const std::uint64_t rejected = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t x = bits();
    if (x >= rejected) return x % bound;
  }
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::normal() {
  for (;;) {
    const double x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    const double square = x * x + y * y;
    if (square > 0 && square < 1) return x * std::sqrt(-2 * std::log(square) / square);
  }
}

}  // namespace twofold
