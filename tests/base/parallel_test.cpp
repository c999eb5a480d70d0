#include "twofold/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace twofold {
namespace {

TEST(Parallel, RunsEveryItemOnceForAnyNumberOfThreads) {
  for (const int threads : {0, 1, 2, 4, 9}) {
    for (const std::size_t count : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<int>> seen(count);
      parallel_for(count, threads, [&](std::size_t i) { ++seen[i]; });
      for (const auto& times : seen) EXPECT_EQ(times, 1);
    }
  }
}

TEST(Parallel, ThrowsTheErrorOfTheSmallestFailedItem) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    try {
      parallel_for(200, 4, [](std::size_t i) {
        if (i == 40 || i == 41 || i == 120) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "40");
    }
  }
}

TEST(Parallel, NumbersItsWorkersBelowTheThreadsAsked) {
  std::vector<std::atomic<int>> busy(3);
  parallel_for_workers(500, 3, [&](std::size_t, int worker) {
    ASSERT_LT(worker, 3);
    EXPECT_EQ(busy[static_cast<std::size_t>(worker)]++, 0) << "two items on one worker at once";
    --busy[static_cast<std::size_t>(worker)];
  });
}

TEST(Parallel, NestedLoopsRunEveryItem) {
  std::atomic<int> seen{0};
  parallel_for(8, 4, [&](std::size_t) { parallel_for(8, 4, [&](std::size_t) { ++seen; }); });
  EXPECT_EQ(seen, 64);
}

TEST(Parallel, TakesAllCoresForZeroThreads) {
  EXPECT_GE(available_threads(), 1);
  EXPECT_EQ(resolve_threads(0), available_threads());
  EXPECT_EQ(resolve_threads(3), 3);
}

}  // namespace
}  // namespace twofold
