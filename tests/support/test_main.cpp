// The main of every test program: all tests, on the SIMD level that TWOFOLD_SIMD names or on the best there is.
// With TWOFOLD_OTHER_SIMD=1 nothing runs if that is the best level: the other entries of ctest run on it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "twofold/base/error.h"
#include "twofold/base/simd.h"

constexpr int kSkipped = 77;  // ctest's SKIP_RETURN_CODE

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    twofold::use_simd_level_of_environment();
  } catch (const twofold::UsageError& error) {
    std::cerr << error.what() << '\n';
    // A level that is compiled but that this CPU lacks is skipped; no other word is.
    const std::vector<std::string> levels = twofold::simd_build_levels();
    return std::find(levels.begin(), levels.end(), std::getenv("TWOFOLD_SIMD")) != levels.end() ? kSkipped : 2;
  }
  if (std::getenv("TWOFOLD_OTHER_SIMD") != nullptr && twofold::simd_level() == twofold::simd_levels().front()) {
    std::cout << "the best level of this CPU, on which every test runs without asking\n";
    return kSkipped;
  }
  return RUN_ALL_TESTS();
}
