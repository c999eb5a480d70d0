// The main of every test program: all tests, on the SIMD level that TWOFOLD_SIMD names or on the best there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "twofold/base/error.h"
#include "twofold/base/simd.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    twofold::use_simd_level_of_environment();
  } catch (const twofold::UsageError& error) {
    std::cerr << error.what() << '\n';
    // A level that is compiled but that this CPU lacks is skipped (ctest's SKIP_RETURN_CODE); no other word is.
    const std::vector<std::string> levels = twofold::simd_build_levels();
    constexpr int kSkipped = 77;
    return std::find(levels.begin(), levels.end(), std::getenv("TWOFOLD_SIMD")) != levels.end() ? kSkipped : 2;
  }
  return RUN_ALL_TESTS();
}
