#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "twofold/wl/mix.h"
#include "twofold/wl/objects.h"

namespace twofold::wl {

/// Numbers pairs (old color, hash) 0, 1, 2, … in the order they first come.
class ColorNumbers {
 public:
  /// For at most `most` different pairs.
  explicit ColorNumbers(std::size_t most) {
    int bits = 4;
    while ((std::size_t{1} << bits) < 2 * most) ++bits;
    slots_.resize(std::size_t{1} << bits);
  }

  Color number(Color old, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mix(hash + old) & mask;
    while (slots_[at].number != kFree && (slots_[at].old != old || slots_[at].hash != hash))
      at = (at + 1) & mask;
    if (slots_[at].number == kFree) slots_[at] = {hash, old, next_++};
    return slots_[at].number;
  }
  std::size_t size() const { return next_; }

 private:
  static constexpr Color kFree = std::numeric_limits<Color>::max();
  struct Slot {
    std::uint64_t hash = 0;
    Color old = 0;
    Color number = kFree;
  };
  std::vector<Slot> slots_;
  Color next_ = 0;
};

}  // namespace twofold::wl
