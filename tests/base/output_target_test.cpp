#include "twofold/base/output_target.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/as_other_user.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"

namespace twofold {
namespace {

namespace fs = std::filesystem;
using Kind = OutputTarget::Kind;
using testing::AsOtherUser;
using testing::TemporaryFolder;

std::string message_of(const std::string& path) {
  try {
    find_output_target(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(OutputTarget, IsTheEndOfALinkEvenIfNothingIsThere) {
  const TemporaryFolder folder;
  folder.write("deep/file", "x");
  fs::create_symlink("deep/file", folder.path("relative"));
  fs::create_symlink(folder.path("relative"), folder.path("twice"));
  fs::create_symlink("deep/none", folder.path("dangling"));
  EXPECT_EQ(find_output_target(folder.path("twice")).path, folder.path("deep/file"));
  EXPECT_EQ(find_output_target(folder.path("dangling")).path, folder.path("deep/none"));
  EXPECT_EQ(find_output_target(folder.path("dangling")).kind, Kind::kFile);
  EXPECT_EQ(find_output_target(folder.path("new")).path, folder.path("new"));
  fs::create_symlink("loop", folder.path("loop"));
  EXPECT_EQ(message_of(folder.path("loop")),
            "cannot write " + folder.path("loop") + ": Too many levels of symbolic links");
}

TEST(OutputTarget, KnowsPipesAndDevicesThroughLinks) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.path("fifo").c_str(), 0600), 0);
  fs::create_symlink("fifo", folder.path("to_fifo"));
  EXPECT_EQ(find_output_target(folder.path("to_fifo")).kind, Kind::kThrough);
  EXPECT_EQ(find_output_target("/dev/null").kind, Kind::kThrough);
  EXPECT_TRUE(is_written_through(folder.path("fifo")));
  EXPECT_FALSE(is_written_through(folder.path("new")));
}

TEST(OutputTarget, KnowsTheDescriptorsOfThisProcessUnderAllTheirNames) {
  const TemporaryFolder folder;
  const int file = open(folder.write("file", "x").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  for (const std::string start : {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"}) {
    const OutputTarget target = find_output_target(start + std::to_string(file));
    EXPECT_EQ(target.kind, Kind::kDescriptor) << start;
    EXPECT_EQ(target.descriptor, file) << start;
  }
  EXPECT_EQ(find_output_target("/dev/stderr").descriptor, 2);
  close(file);
  const std::string gone = "/dev/fd/" + std::to_string(file);
  EXPECT_EQ(message_of(gone), "cannot write " + gone + ": Bad file descriptor");
}

TEST(OutputTarget, RefusesWhatMayNotBeWritten) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(folder.write("read_only", "x"), fs::perms::others_read | fs::perms::owner_read);
  ASSERT_EQ(mkfifo(folder.path("fifo").c_str(), 0600), 0);
  const int socket_number = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  folder.path("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(socket_number, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  close(socket_number);
  EXPECT_EQ(message_of(folder.path("socket")),
            "cannot write " + folder.path("socket") + ": No such device or address");
  EXPECT_EQ(message_of(""), "cannot write '': No such file or directory");
  const AsOtherUser other;
  for (const char* name : {"read_only", "fifo"})
    EXPECT_EQ(message_of(folder.path(name)), "cannot write " + folder.path(name) + ": Permission denied");
}

TEST(IsSameFile, SeesThroughLinksOfBothKinds) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "x");
  const std::string other = folder.write("other", "x");
  fs::create_symlink("file", folder.path("link"));
  fs::create_hard_link(file, folder.path("hard"));
  fs::create_directory_symlink(".", folder.path("same"));
  EXPECT_TRUE(is_same_file(file, folder.path("./file")));
  EXPECT_TRUE(is_same_file(file, folder.path("link")));
  EXPECT_TRUE(is_same_file(file, folder.path("hard")));
  EXPECT_TRUE(is_same_file(file, folder.path("same/file")));
  EXPECT_TRUE(is_same_file(folder.path("new"), folder.path("same/new")));
  EXPECT_FALSE(is_same_file(file, other));
  EXPECT_FALSE(is_same_file(file, folder.path("new")));
  EXPECT_FALSE(is_same_file("/dev/null", "/dev/null"));
}

TEST(LiesInFolder, FollowsLinksAndDoesNotCompareNamesOnly) {
  const TemporaryFolder folder;
  folder.write("set/file", "x");
  folder.write("set2/file", "x");
  fs::create_directory_symlink("set", folder.path("link"));
  EXPECT_TRUE(lies_in_folder(folder.path("set/file"), folder.path("set")));
  EXPECT_TRUE(lies_in_folder(folder.path("link/new"), folder.path("set/")));
  EXPECT_TRUE(lies_in_folder(folder.path("set/new"), folder.path("link")));
  EXPECT_TRUE(lies_in_folder(folder.path("set/deep/er"), folder.path("set")));
  EXPECT_FALSE(lies_in_folder(folder.path("set2/file"), folder.path("set")));
  EXPECT_FALSE(lies_in_folder(folder.path("set"), folder.path("set")));
  EXPECT_FALSE(lies_in_folder(folder.path("set/../new"), folder.path("set")));
  EXPECT_FALSE(lies_in_folder(folder.path("set/file"), folder.path("set/file")));
}

}  // namespace
}  // namespace twofold
