#include "twofold/base/file_lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/parallel.h"

namespace twofold {
namespace {

TEST(FileLock, LetsInOneAtATimeAndLeavesNoFile) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("made.lock");
  std::atomic<int> inside{0}, most{0}, times{0};
  parallel_for(200, 4, [&](std::size_t) {
    const FileLock lock(path);
    const int now = ++inside;
    if (now > most) most = now;
    ++times;
    --inside;
  });
  EXPECT_EQ(most, 1);
  EXPECT_EQ(times, 200);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(FileLock, SaysWhereItCannotBe) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(FileLock(folder.path("none/made.lock")), Error);
}

}  // namespace
}  // namespace twofold
