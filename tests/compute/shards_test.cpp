#include "twofold/compute/shards.h"

#include <gtest/gtest.h>

#include "tests/support/thread_group.h"
#include "twofold/base/random.h"

namespace twofold::compute {
namespace {

std::vector<float> random_values(std::size_t count) {
  Random random(3);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

TEST(Shards, AreSummedInOneOrderHoweverManyRanksHaveThem) {
  constexpr std::size_t kSize = 37;
  for (const std::size_t count : {1, 2, 3, 6, 8, 13}) {
    const std::vector<float> values = random_values(count * kSize);
    std::vector<float> given = values, expected(kSize);
    EXPECT_EQ(sum_shards(Shards(count, nullptr), kSize, given.data(), expected.data(), "x"),
              std::vector<std::string>{"x"});
    // In double it is the plain sum.
    for (std::size_t i = 0; i < kSize; ++i) {
      double sum = 0;
      for (std::size_t s = 0; s < count; ++s) sum += static_cast<double>(values[s * kSize + i]);
      EXPECT_NEAR(expected[i], sum, 1e-5);
    }
    for (std::size_t ranks = 1; ranks <= count; ++ranks)
      testing::ThreadRanks(static_cast<int>(ranks)).run([&](Group& group) {
        const Shards shards(count, &group);
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(shards.first * kSize);
        std::vector<float> own(begin, begin + static_cast<std::ptrdiff_t>(shards.own * kSize)), sum(kSize);
        const std::vector<std::string> messages = sum_shards(
            shards, kSize, own.data(), sum.data(), std::string(static_cast<std::size_t>(group.rank()), 'm'));
        EXPECT_EQ(sum, expected) << count << " shards, rank " << group.rank() << " of " << ranks;
        for (std::size_t r = 0; r < ranks; ++r) EXPECT_EQ(messages[r].size(), r);
      });
  }
}

TEST(Shards, OfHalvesAreAddedInPairs) {
  // (1e8 + 1) is 1e8 in float: the order shows.
  std::vector<float> values = {1e8f, 1, -1e8f, 1}, sum(1);
  sum_shards(Shards(4, nullptr), 1, values.data(), sum.data(), "");
  EXPECT_EQ(sum[0], (1e8f + 1) + (-1e8f + 1));
}

TEST(Shards, AreGatheredFromAllRanks) {
  testing::ThreadRanks(3).run([&](Group& group) {
    const Shards shards(7, &group);
    std::vector<double> blocks(14, -1);
    for (std::size_t s = shards.first; s < shards.first + shards.own; ++s)
      blocks[2 * s] = blocks[2 * s + 1] = static_cast<double>(s);
    gather(shards, 2, blocks);
    for (std::size_t s = 0; s < 7; ++s) EXPECT_EQ(blocks[2 * s], static_cast<double>(s));
  });
}

TEST(Group, TellsAllThatOneHasFailedOrWasInterrupted) {
  testing::ThreadRanks(3).run([&](Group& group) {
    EXPECT_EQ(group.share(std::to_string(group.rank()))[2], "2");
    EXPECT_FALSE(group.has_stopped());
    if (group.rank() == 1) {
      group.fail("no memory");
    } else {
      try {
        group.share("more");
        ADD_FAILURE() << "nothing was thrown";
      } catch (const GroupStop& stop) {
        EXPECT_EQ(stop.kind, GroupStop::Kind::kFailed);
        EXPECT_EQ(stop.rank, 1);
        EXPECT_STREQ(stop.what(), "no memory");
      }
    }
    EXPECT_TRUE(group.has_stopped());
  });
  testing::ThreadRanks(2).run([&](Group& group) {
    if (group.rank() == 1) group.is_interrupted = [] { return true; };
    try {
      group.share("more");
      ADD_FAILURE() << "nothing was thrown";
    } catch (const GroupStop& stop) {
      EXPECT_EQ(stop.kind, GroupStop::Kind::kInterrupted);
    }
  });
}

}  // namespace
}  // namespace twofold::compute
