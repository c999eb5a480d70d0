#include "twofold/base/memory_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/memory.h"

namespace twofold {
namespace {

constexpr std::uint64_t kMega = 1 << 20;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TWOFOLD_SKIP_UNDER_SANITIZER() GTEST_SKIP() << "a sanitizer's own memory is no part of the promise"
#else
#define TWOFOLD_SKIP_UNDER_SANITIZER() static_cast<void>(0)
#endif

TEST(MemoryLimit, LeavesWhatTheProcessDoesNotHold) {
  TWOFOLD_SKIP_UNDER_SANITIZER();
  EXPECT_FALSE(memory_limit().has_value());
  const MemoryLimit limit(1024 * kMega);
  EXPECT_EQ(memory_limit(), 1024 * kMega);
  EXPECT_EQ(whole_memory_limit(0), 1024 * kMega);
  EXPECT_EQ(whole_memory_limit(7), 7u);
  const std::uint64_t before = resolve_memory_limit(0);
  EXPECT_LT(before, 1024 * kMega);
  EXPECT_EQ(resolve_memory_limit(1000), 1000u);
  std::vector<char> held(100 * kMega, 1);
  EXPECT_LT(resolve_memory_limit(0), before - 90 * kMega);
  EXPECT_EQ(held[kMega], 1);
}

TEST(MemoryLimit, MakesWhatNobodyForesawAnException) {
  TWOFOLD_SKIP_UNDER_SANITIZER();
  const std::uint64_t most = used_memory() + 60 * kMega;
  {
    const MemoryLimit limit(most);
    std::vector<std::unique_ptr<char[]>> held;
    const auto take = [&] {
      for (int i = 0; i < 1000; ++i) {
        held.push_back(std::make_unique<char[]>(kMega));
        std::memset(held.back().get(), 1, kMega);
      }
    };
    EXPECT_THROW(take(), std::bad_alloc);
    EXPECT_GT(held.size(), 20u);
    EXPECT_LE(used_memory(), most);
    try {
      take();
    } catch (const std::exception& error) {
      EXPECT_TRUE(is_out_of_memory(error));
    }
  }
  EXPECT_EQ(out_of_memory_text(),
            "out of memory: more than the limit of " + format_bytes(most) + " is needed (--max-memory)");
  const std::vector<char> again(200 * kMega, 1);  // and nothing is limited any more
  EXPECT_EQ(again.back(), 1);
}

TEST(MemoryLimit, RefusesLessThanIsHeldAlready) {
  try {
    const MemoryLimit limit(kMega);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("needs at least "), 0u) << text;
    EXPECT_NE(text.find(" of memory, the limit is 1.00 MiB (--max-memory)"), std::string::npos) << text;
  }
  EXPECT_FALSE(memory_limit().has_value());
}

TEST(MemoryLimit, WithinAnotherNeverAllowsMore) {
  TWOFOLD_SKIP_UNDER_SANITIZER();
  rlimit before{};
  getrlimit(RLIMIT_DATA, &before);
  {
    const MemoryLimit outer(800 * kMega);
    {
      const MemoryLimit larger(900 * kMega);
      EXPECT_EQ(larger.bytes(), 800 * kMega);
      const MemoryLimit same(0);
      EXPECT_EQ(same.bytes(), 800 * kMega);
      const MemoryLimit smaller(700 * kMega);
      EXPECT_EQ(memory_limit(), 700 * kMega);
    }
    EXPECT_EQ(memory_limit(), 800 * kMega);
  }
  rlimit after{};
  getrlimit(RLIMIT_DATA, &after);
  EXPECT_EQ(before.rlim_cur, after.rlim_cur);
}

TEST(MemoryLimit, NamesWhatIsInUseWhereTheNeedAloneWouldFit) {
  TWOFOLD_SKIP_UNDER_SANITIZER();
  const MemoryLimit limit(500 * kMega);
  const std::string used = format_bytes(used_memory());
  try {
    require_memory("the table", 499 * kMega, resolve_memory_limit(0));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("the table needs 499 MiB of memory beside the "), 0u) << text;
    EXPECT_NE(text.find(" in use, the limit is 500 MiB (--max-memory)"), std::string::npos) << text;
  }
  try {
    require_memory("the table", 2048 * kMega, resolve_memory_limit(0));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the table needs 2.00 GiB of memory, the limit is 500 MiB (--max-memory)");
  }
}

TEST(MemoryLimit, OfRanksOnOneMachineIsShared) {
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
  const std::uint64_t shared = MemoryLimit(0).bytes();
  unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  setenv("SLURM_STEP_TASKS_PER_NODE", "2(x3)", 1);
  const std::uint64_t outside_a_step = MemoryLimit(0).bytes();
  setenv("SLURM_STEP_ID", "0", 1);
  const std::uint64_t in_a_step = MemoryLimit(0).bytes();
  unsetenv("SLURM_STEP_ID");
  unsetenv("SLURM_STEP_TASKS_PER_NODE");
  const std::uint64_t alone = MemoryLimit(0).bytes();
  EXPECT_EQ(shared, alone / 4);
  EXPECT_EQ(in_a_step, alone / 2);
  EXPECT_EQ(outside_a_step, alone);
}

TEST(MemoryLimit, CountsAMappedFile) {
  TWOFOLD_SKIP_UNDER_SANITIZER();
  const MemoryLimit limit(used_memory() + 200 * kMega);
  rlimit before{}, during{}, after{};
  getrlimit(RLIMIT_DATA, &before);
  {
    const MappedMemory mapped("the file", 50 * kMega);
    getrlimit(RLIMIT_DATA, &during);
  }
  getrlimit(RLIMIT_DATA, &after);
  EXPECT_EQ(before.rlim_cur - during.rlim_cur, 50 * kMega);
  EXPECT_EQ(before.rlim_cur, after.rlim_cur);
  EXPECT_THROW(MappedMemory("the file", 300 * kMega), Error);
}

TEST(ControlGroup, LimitsAreThoseOfTheGroupAndOfAllAboveIt) {
  const testing::TemporaryFolder folder;
  const std::string groups = folder.write("cgroup", "0::/a/b\n");
  const std::string mount = folder.path("fs");
  EXPECT_EQ(control_group_limit(groups, mount), kNoLimit);
  folder.write("fs/a/b/memory.max", "max\n");
  EXPECT_EQ(control_group_limit(groups, mount), kNoLimit);
  folder.write("fs/a/memory.max", "1000\n");
  EXPECT_EQ(control_group_limit(groups, mount), 1000u);
  folder.write("fs/a/b/memory.max", "900\n");
  EXPECT_EQ(control_group_limit(groups, mount), 900u);
}

TEST(ControlGroup, LimitsOfVersionOneAreThoseOfTheMemoryController) {
  const testing::TemporaryFolder folder;
  const std::string groups = folder.write("cgroup", "9:name=systemd:/a\n4:cpu,memory:/docker/1\n0::/\n");
  const std::string mount = folder.path("fs");
  folder.write("fs/memory/docker/1/memory.limit_in_bytes", "5000\n");
  EXPECT_EQ(control_group_limit(groups, mount), 5000u);
  // A container that sees only its own group has it as the root.
  std::filesystem::remove_all(folder.path("fs"));
  folder.write("fs/memory/memory.limit_in_bytes", "4000\n");
  EXPECT_EQ(control_group_limit(groups, mount), 4000u);
}

}  // namespace
}  // namespace twofold
