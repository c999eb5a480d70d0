#include "twofold/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace twofold {
namespace {

TEST(Random, GivesTheFrozenNumbersOnEveryPlatform) {
  Random random(1);
  EXPECT_EQ(random.bits(), 0xb3f2af6d0fc710c5u);
}

TEST(Random, ShuffleKeepsEveryElement) {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  auto shuffled = values;
  Random(3).shuffle(shuffled);
  EXPECT_NE(shuffled, values);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, values);
}

}  // namespace
}  // namespace twofold
