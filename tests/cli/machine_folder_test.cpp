#include "cli/machine_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "tests/support/thread_group.h"

namespace twofold::cli {
namespace {

namespace fs = std::filesystem;

TEST(MachineFolder, IsTheSameForAllRanksOfAMachineUntilTheFirstTakesItAway) {
  std::vector<std::string> paths(3);
  testing::ThreadRanks(3).run([&](Group& group) {
    MachineFolder folder(group);
    const auto rank = static_cast<std::size_t>(group.rank());
    paths[rank] = folder.path();
    EXPECT_TRUE(fs::is_directory(folder.path()));
    group.share("");
    if (rank > 0) folder.remove();  // not its own
    group.share("");
    EXPECT_TRUE(fs::is_directory(folder.path()));
    group.share("");
    if (rank == 0) folder.remove();
    group.share("");
    EXPECT_FALSE(fs::exists(folder.path()));
  });
  EXPECT_NE(paths[0], "");
  EXPECT_EQ(paths[1], paths[0]);
  EXPECT_EQ(paths[2], paths[0]);
}

TEST(MachineFolder, IsNotMadeForARankAlone) {
  testing::ThreadRanks(1).run([](Group& group) { EXPECT_EQ(MachineFolder(group).path(), ""); });
}

}  // namespace
}  // namespace twofold::cli
