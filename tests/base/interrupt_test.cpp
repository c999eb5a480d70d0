#include "twofold/base/interrupt.h"

#include <gtest/gtest.h>

#include <atomic>

#include "twofold/base/parallel.h"

namespace twofold {
namespace {

struct Stop {};  // no std::exception

TEST(Interrupt, EndsAParallelLoop) {
  for (const int threads : {1, 2}) {
    const InterruptWatch watch([] { throw Stop{}; });
    EXPECT_THROW(parallel_for(10, threads, [](std::size_t) {}), Stop);
  }
}

TEST(Interrupt, IsAskedByItsOwnThreadAndNotForEveryItem) {
  std::atomic<int> asked{0};
  {
    const InterruptWatch watch([&] { ++asked; });
    parallel_for(100'000, 1, [](std::size_t) {});
  }
  EXPECT_GE(asked, 1);
  EXPECT_LT(asked, 1000);
  const int before = asked;
  check_interrupt();
  EXPECT_EQ(asked, before) << "nobody watches any more";
}

TEST(Interrupt, AsksTheInnermost) {
  const InterruptWatch outer([] { FAIL() << "the outer one was asked"; });
  {
    const InterruptWatch inner([] { throw Stop{}; });
    EXPECT_THROW(check_interrupt(), Stop);
  }
}

}  // namespace
}  // namespace twofold
