#include "twofold/base/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>

#include "tests/support/as_other_user.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"

namespace twofold {
namespace {

namespace fs = std::filesystem;
using testing::AsOtherUser;
using testing::TemporaryFolder;

std::size_t entries(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// Writes beyond `bytes` fail from now on, as on a full disk (EFBIG instead of ENOSPC).
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(File, ReadsWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string content(300000, 'x');
  EXPECT_EQ(read_file(folder.write("a", content)), content);
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
  EXPECT_EQ(read_file("/proc/self/comm").substr(0, 5), "test_");  // claims to be empty
}

TEST(File, NamesThePathItCannotRead) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { read_file(folder.path("none")); }),
            "cannot open " + folder.path("none") + ": No such file or directory");
  EXPECT_EQ(message_of([&] { read_file(folder.path()); }), "cannot read " + folder.path() + ": Is a directory");
  const std::string secret = folder.write("secret", "x");
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(secret, fs::perms::none);
  const AsOtherUser other;
  EXPECT_EQ(message_of([&] { read_file(secret); }), "cannot open " + secret + ": Permission denied");
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  {
    AtomicFile file(path);
    file.write("new");
    EXPECT_EQ(read_file(path), "old");
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), 1u);
  AtomicFile file(path);
  file.write("new");
  file.commit();
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(AtomicFile, LeavesTheOldFileWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  const std::string message = message_of([&] {
    const FullDisk full(100000);
    AtomicFile file(path);
    for (int i = 0; i < 100; ++i) file.write(std::string(10000, 'x'));
    file.commit();
  });
  EXPECT_EQ(message, "cannot write " + path + ": File too large");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(AtomicFile, FindsAnUnwritablePlaceAtOnce) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { AtomicFile file(folder.path("no/where")); }),
            "cannot write " + folder.path("no/where") + ": No such file or directory");
  EXPECT_EQ(message_of([&] { AtomicFile file(folder.path()); }),
            "cannot write " + folder.path() + ": Is a directory");
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
  const AsOtherUser other;
  EXPECT_EQ(message_of([&] { AtomicFile file(folder.path("out")); }),
            "cannot write " + folder.path("out") + ": Permission denied");
}

TEST(AtomicFolder, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  {
    AtomicFolder out(folder.path("set"));
    out.write_file("a", "1");
  }
  EXPECT_EQ(entries(folder.path()), 0u);
  AtomicFolder out(folder.path("set") + "/");
  out.write_file("a", "1");
  out.write_file("b", "2");
  EXPECT_FALSE(fs::exists(folder.path("set")));
  out.commit();
  EXPECT_EQ(read_file(folder.path("set/b")), "2");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(AtomicFolder, RefusesAFolderWithSomethingInIt) {
  const TemporaryFolder folder;
  folder.write("set/a", "1");
  EXPECT_EQ(message_of([&] { AtomicFolder out(folder.path("set")); }),
            "cannot write " + folder.path("set") + ": the folder exists and is not empty");
  fs::remove(folder.path("set/a"));
  AtomicFolder out(folder.path("set"));
  out.commit();
  EXPECT_TRUE(fs::is_directory(folder.path("set")));
  const std::string file = folder.write("file", "x");
  EXPECT_EQ(message_of([&] { AtomicFolder other(file); }), "cannot write " + file + ": File exists");
}

TEST(AtomicFolder, LeavesNothingWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const std::string message = message_of([&] {
    const FullDisk full(1000);
    AtomicFolder out(folder.path("set"));
    out.write_file("a", "1");
    out.write_file("b", std::string(5000, 'x'));
    out.commit();
  });
  EXPECT_EQ(message, "cannot write " + folder.path("set/b") + ": File too large");
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(RemoveUnfinishedFiles, LeavesNothingOfWhatWasNotCommitted) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("file"));
  AtomicFolder out(folder.path("set"));
  out.write_file("a", "1");
  EXPECT_EQ(entries(folder.path()), 2u);
  remove_unfinished_files();
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(FileName, IsTheLastComponent) {
  EXPECT_EQ(file_name("data/MUTAG/"), "MUTAG");
  EXPECT_EQ(file_name("MUTAG"), "MUTAG");
  EXPECT_EQ(file_name("a/b.txt"), "b.txt");
}

}  // namespace
}  // namespace twofold
