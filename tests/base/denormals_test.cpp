#include "twofold/base/denormals.h"

#include <gtest/gtest.h>

#include <atomic>

#include "twofold/base/parallel.h"

namespace twofold {
namespace {

// A product below the smallest normal number, made by the CPU and not by the compiler.
float tiny() {
  volatile float a = 1e-38f;
  volatile float b = 0.01f;
  return a * b;
}

#if defined(__x86_64__) || defined(__aarch64__)

TEST(FlushDenormals, MakesThemZeroAsLongAsItLives) {
  EXPECT_FALSE(FlushDenormals::is_on());
  EXPECT_GT(tiny(), 0);
  {
    const FlushDenormals flush;
    EXPECT_TRUE(FlushDenormals::is_on());
    EXPECT_EQ(tiny(), 0);
    {
      const FlushDenormals keep(false);
      EXPECT_GT(tiny(), 0);
    }
    EXPECT_EQ(tiny(), 0);
  }
  EXPECT_FALSE(FlushDenormals::is_on());
  EXPECT_GT(tiny(), 0);
}

// Threads are kept from loop to loop, and began with the mode of whoever made them.
TEST(FlushDenormals, HoldsInLoopsOfThisThreadAndInNoOthers) {
  const auto num_zeros = [] {
    std::atomic<int> zeros{0};
    parallel_for(64, 4, [&](std::size_t) { zeros += tiny() == 0; });
    return zeros.load();
  };
  for (int again = 0; again < 3; ++again) {
    {
      const FlushDenormals flush;
      EXPECT_EQ(num_zeros(), 64);
    }
    EXPECT_EQ(num_zeros(), 0);
  }
}

#endif

}  // namespace
}  // namespace twofold
