#include "twofold/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "twofold/base/error.h"

namespace twofold {
namespace {

// The first numbers of xoshiro256** whose state SplitMix64 filled from seed 1, and of our own distributions:
// frozen, since every seeded result follows from them.
TEST(Random, GivesTheFrozenNumbersOnEveryPlatform) {
  Random random(1);
  EXPECT_EQ(random.bits(), 0xb3f2af6d0fc710c5u);
  EXPECT_EQ(random.bits(), 0x853b559647364ceau);
  Random other(42);
  std::vector<std::uint64_t> drawn;
  for (int i = 0; i < 8; ++i) drawn.push_back(other.below(10));
  EXPECT_EQ(drawn, (std::vector<std::uint64_t>{2, 2, 9, 3, 6, 4, 4, 7}));
  EXPECT_EQ(Random(7).uniform(), 0x1.66b1f5ee9df2ep-1);
  EXPECT_EQ(Random(1).stream(5).bits(), 7298245651969131502u);
}

TEST(Random, StreamsDependOnSeedAndIndexAlone) {
  Random used(9);
  for (int i = 0; i < 100; ++i) used.bits();
  EXPECT_EQ(used.stream(3).bits(), Random(9).stream(3).bits());
  std::set<std::uint64_t> first;
  for (std::uint64_t i = 0; i < 10000; ++i) first.insert(Random(9).stream(i).bits());
  EXPECT_EQ(first.size(), 10000u);
  EXPECT_NE(Random(9).stream(1).stream(2).bits(), Random(9).stream(2).stream(1).bits());
}

TEST(Random, BelowIsUniform) {
  Random random(5);
  std::map<std::uint64_t, int> count;
  for (int i = 0; i < 70000; ++i) ++count[random.below(7)];
  ASSERT_EQ(count.size(), 7u);
  // Chi-square with 6 degrees of freedom; 22.5 is exceeded once in a thousand seeds, and this seed is fixed.
  double chi_square = 0;
  for (const auto& [value, seen] : count) chi_square += std::pow(seen - 10000.0, 2) / 10000.0;
  EXPECT_LT(chi_square, 22.5);
  EXPECT_THROW(random.below(0), CheckError);
}

TEST(Random, NormalHasMeanZeroAndDeviationOne) {
  Random random(11);
  double sum = 0;
  double squares = 0;
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.015);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
}

TEST(Random, ShuffleReachesEveryOrderEquallyOften) {
  Random random(3);
  std::map<std::vector<int>, int> count;
  for (int i = 0; i < 24000; ++i) {
    std::vector<int> values = {1, 2, 3, 4};
    random.shuffle(values);
    ++count[values];
  }
  ASSERT_EQ(count.size(), 24u);
  for (const auto& [order, seen] : count) EXPECT_NEAR(seen, 1000, 150);
}

}  // namespace
}  // namespace twofold
