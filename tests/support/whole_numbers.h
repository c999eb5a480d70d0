#pragma once

#include <cstddef>
#include <vector>

#include "twofold/base/random.h"

namespace twofold::testing {

/// Whole numbers from -4 to 4: sums and products of few are exact, so every order of adding gives the same.
template <typename T>
std::vector<T> whole_numbers(std::size_t count, Random& random) {
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(static_cast<int>(random.below(9)) - 4);
  return values;
}

}  // namespace twofold::testing
