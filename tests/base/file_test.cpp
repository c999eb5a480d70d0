#include "twofold/base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <thread>

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

std::string bytes_of(int descriptor) {
  std::string bytes;
  char block[4096];
  for (ssize_t got = 0; (got = read(descriptor, block, sizeof block)) > 0;)
    bytes.append(block, static_cast<std::size_t>(got));
  return bytes;
}

void write_whole(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST(AtomicFile, WritesThroughASymlink) {
  const TemporaryFolder folder;
  folder.write("deep/old", "old");
  fs::create_symlink("deep/old", folder.path("link"));
  fs::create_symlink("deep/new", folder.path("dangling"));
  for (const char* name : {"link", "dangling"}) {
    AtomicFile file(folder.path(name));
    file.write("new");
    // The temporary lies where the target does: on its disk, and in a folder that may be written.
    EXPECT_EQ(entries(folder.path("deep")), 2u);
    file.commit();
    EXPECT_TRUE(fs::is_symlink(folder.path(name)));
    EXPECT_EQ(read_file(folder.path(name)), "new");
  }
  EXPECT_EQ(read_file(folder.path("deep/old")), "new");
  EXPECT_EQ(read_file(folder.path("deep/new")), "new");
  EXPECT_EQ(entries(folder.path("deep")), 2u);
}

TEST(AtomicFile, WritesIntoAPipeInsteadOfReplacingIt) {
  const TemporaryFolder folder;
  const std::string fifo = folder.path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const std::string much(1000000, 'x');
  std::string got;
  std::thread reader([&] { got = read_file(fifo); });
  { AtomicFile tried(fifo); }  // a try is no end for the reader
  write_whole(fifo, much);
  reader.join();
  EXPECT_EQ(got, much);
  struct stat status {};
  ASSERT_EQ(lstat(fifo.c_str(), &status), 0);
  EXPECT_TRUE(S_ISFIFO(status.st_mode));
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(AtomicFile, WritesOntoADeviceInsteadOfReplacingIt) {
  const TemporaryFolder folder;
  struct stat null {};
  ASSERT_EQ(stat("/dev/null", &null), 0);
  const std::string device = folder.path("null");
  if (mknod(device.c_str(), S_IFCHR | 0666, null.st_rdev) != 0) GTEST_SKIP() << "may not make a device";
  if (open(device.c_str(), O_WRONLY | O_CLOEXEC) < 0) GTEST_SKIP() << "devices do not work in this folder";
  fs::create_symlink("null", folder.path("link"));
  write_whole(device, "x");
  write_whole(folder.path("link"), "x");
  for (const char* name : {"null", "link"}) {
    struct stat status {};
    ASSERT_EQ(stat(folder.path(name).c_str(), &status), 0);
    EXPECT_TRUE(S_ISCHR(status.st_mode)) << name;
  }
  EXPECT_EQ(entries(folder.path()), 2u);
}

TEST(AtomicFile, TellsThatADeviceIsFull) {
  EXPECT_EQ(message_of([&] { write_whole("/dev/full", "x"); }),
            "cannot write /dev/full: No space left on device");
}

TEST(AtomicFile, WritesOntoADescriptorWhereItStands) {
  const TemporaryFolder folder;
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  write_whole("/dev/fd/" + std::to_string(ends[1]), "through a pipe");
  close(ends[1]);
  EXPECT_EQ(bytes_of(ends[0]), "through a pipe");
  close(ends[0]);
  // As `program -o /dev/stdout >> file` and what else the program says.
  const std::string path = folder.write("file", "before ");
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_GE(file, 0);
  write_whole("/proc/self/fd/" + std::to_string(file), "between");
  ASSERT_EQ(write(file, " after", 6), 6);
  close(file);
  EXPECT_EQ(read_file(path), "before between after");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(AtomicFile, KeepsModeAndOwnerOfWhatItReplaces) {
  const TemporaryFolder folder;
  const mode_t old_mask = umask(022);
  const std::string secret = folder.write("secret", "old");
  const std::string open_to_all = folder.write("open", "old");
  ASSERT_EQ(chmod(secret.c_str(), 0600), 0);
  ASSERT_EQ(chmod(open_to_all.c_str(), 0666), 0);
  const bool is_root = chown(secret.c_str(), 12345, 23456) == 0;
  {
    AtomicFile file(secret);
    file.write("new");
    for (const auto& entry : fs::directory_iterator(folder.path()))
      if (entry.path().extension() == ".part")
        EXPECT_EQ(mode_of(entry.path().string()) & 077, 0u) << "others can read what will be secret";
    file.commit();
  }
  write_whole(open_to_all, "new");
  write_whole(folder.path("fresh"), "new");
  umask(old_mask);
  struct stat status {};
  ASSERT_EQ(stat(secret.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  if (is_root) {
    EXPECT_EQ(status.st_uid, 12345u);
    EXPECT_EQ(status.st_gid, 23456u);
  }
  EXPECT_EQ(mode_of(open_to_all), 0666u);
  EXPECT_EQ(mode_of(folder.path("fresh")), 0644u);
}

TEST(AtomicFile, DoesNotShowAnotherGroupWhatItCannotKeepTheGroupOf) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  const std::string path = folder.write("shared", "old");
  // Writable for everybody, readable for its group and its owner, neither of whom the writer is.
  if (chown(path.c_str(), 12345, 23456) != 0) GTEST_SKIP() << "needs root to give a file away";
  ASSERT_EQ(chmod(path.c_str(), 0662), 0);
  {
    const AsOtherUser other;
    write_whole(path, "new");
  }
  EXPECT_EQ(mode_of(path), 0622u);
}

TEST(AtomicFile, RefusesAFileThatMayNotBeWrittenInAFolderThatMay) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  const std::string path = folder.write("secret", "old");
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  const AsOtherUser other;
  EXPECT_EQ(message_of([&] { AtomicFile file(path); }), "cannot write " + path + ": Permission denied");
}

TEST(AtomicFile, RemovesWhatKilledWritersOfTheSameOutputLeft) {
  const TemporaryFolder folder;
  const std::string path = folder.path("out");
  const std::string other = folder.write(".other.0123456789abcdef.part", "of another output");
  const std::string own_name = folder.write(".out.model.0123456789abcdef.part", "of out.model");
  const pid_t killed = fork();
  if (killed == 0) {
    AtomicFile file(path);
    file.write(std::string(1u << 19, 'x'));
    std::raise(SIGKILL);
  }
  int status = 0;
  waitpid(killed, &status, 0);
  folder.write(".out.4711-0.part", "as older versions named them");
  ASSERT_EQ(entries(folder.path()), 4u);
  write_whole(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::exists(own_name));
  EXPECT_EQ(entries(folder.path()), 3u);
}

TEST(AtomicFile, LeavesTheTemporaryOfALiveWriterOfTheSameOutput) {
  const TemporaryFolder folder;
  const std::string path = folder.path("out");
  int ready[2];
  int go_on[2];
  ASSERT_EQ(pipe2(ready, O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(go_on, O_CLOEXEC), 0);
  const pid_t other = fork();
  if (other == 0) {
    AtomicFile file(path);
    file.write("of the other");
    char byte = 0;
    const bool told = write(ready[1], "x", 1) == 1 && read(go_on[0], &byte, 1) == 1;
    file.commit();
    _exit(told ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  write_whole(path, "of this one");
  EXPECT_EQ(read_file(path), "of this one");
  EXPECT_EQ(entries(folder.path()), 2u);
  ASSERT_EQ(write(go_on[1], "x", 1), 1);
  int status = 0;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path), "of the other");
  EXPECT_EQ(entries(folder.path()), 1u);
  for (const int end : {ready[0], ready[1], go_on[0], go_on[1]}) close(end);
}

TEST(AtomicFile, TakesNamesAsLongAsTheFileSystem) {
  const TemporaryFolder folder;
  const std::string path = folder.path(std::string(255, 'n'));
  write_whole(path, "x");
  EXPECT_EQ(read_file(path), "x");
}

TEST(AtomicFile, RefusesAFoldersNameAtOnce) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { AtomicFile file(folder.path("none/")); }),
            "cannot write " + folder.path("none/") + ": Is a directory");
}

TEST(AtomicFolder, FollowsALinkToAnEmptyFolderOrToNothing) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path("deep/empty"));
  fs::permissions(folder.path("deep/empty"), fs::perms::owner_all);
  for (const char* name : {"empty", "none"}) {
    const std::string link = folder.path(std::string("to_") + name);
    fs::create_directory_symlink(std::string("deep/") + name, link);
    AtomicFolder out(link);
    out.write_file("a", "1");
    out.commit();
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(read_file(folder.path(std::string("deep/") + name + "/a")), "1");
  }
  EXPECT_EQ(mode_of(folder.path("deep/empty")), 0700u);
  EXPECT_EQ(message_of([&] { AtomicFolder out("/dev/null"); }), "cannot write /dev/null: File exists");
}

TEST(AtomicFolder, RemovesWhatKilledWritersOfTheSameOutputLeft) {
  const TemporaryFolder folder;
  folder.write(".set.0123456789abcdef.part/a", "1");
  AtomicFolder out(folder.path("set"));
  EXPECT_EQ(entries(folder.path()), 1u);
  out.commit();
  EXPECT_EQ(entries(folder.path()), 1u);
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
