#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace twofold {

/// A seeded generator whose numbers are the same on every platform and standard library:
/// xoshiro256** for bits, and distributions of our own (those of <random> differ between libraries).
///
/// Everything here is frozen: a change would alter every seeded result. Copies go on independently.
/// One object belongs to one thread; give each thread or item its own `stream`.
class Random {
 public:
  explicit Random(std::uint64_t seed = 1);

  /// A generator for item `index` that depends on this one's seed and `index` alone, not on how many
  /// numbers were drawn before: parallel work draws the same whatever the order.
  Random stream(std::uint64_t index) const;

  /// 64 random bits.
  std::uint64_t bits();
  /// Uniform in 0…bound-1, exactly (no modulo bias). Needs bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform();
  /// True with probability p.
  bool chance(double p) { return uniform() < p; }
  /// Normal with mean 0 and deviation 1 (polar method). Last bits follow libm.
  double normal();

  /// Puts `values` into a uniformly random order (Fisher and Yates).
  template <typename Container>
  void shuffle(Container& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      using std::swap;
      swap(values[i - 1], values[below(i)]);
    }
  }

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> state_;
};

}  // namespace twofold
