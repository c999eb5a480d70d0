#include "twofold/base/unfinished.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/base/failure.h"
#include "twofold/base/file.h"
#include "twofold/base/path_parts.h"

namespace twofold {
namespace {

[[noreturn]] void cannot_write(const std::string& path, int code) { throw FileError("write", path, code); }

// Paths not yet committed, readable by a signal handler: fixed places, a flag each.
struct Registered {
  std::atomic<int> state{0};  // 0 free, 1 being filled in, 2 a file, 3 a folder
  char path[4096];
};
std::array<Registered, 64> registered;

constexpr int kFile = 2;
constexpr int kFolder = 3;

int enter(const std::string& path, int kind) {
  if (path.size() >= sizeof registered[0].path) return -1;
  for (std::size_t i = 0; i < registered.size(); ++i) {
    int expected = 0;
    if (!registered[i].state.compare_exchange_strong(expected, 1)) continue;
    std::memcpy(registered[i].path, path.c_str(), path.size() + 1);
    registered[i].state.store(kind);
    return static_cast<int>(i);
  }
  return -1;
}

void leave(int slot) {
  if (slot >= 0) registered[static_cast<std::size_t>(slot)].state.store(0);
}

// Only system calls, no opendir: this runs in signal handlers.
void remove_folder(const char* path) {
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0) {
    alignas(std::uint64_t) char buffer[4096];
    for (;;) {
      const long got = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
      if (got <= 0) break;
      for (long at = 0; at < got;) {
        // struct linux_dirent64: inode 8 bytes, offset 8, record length 2, type 1, name.
        std::uint16_t length = 0;
        std::memcpy(&length, buffer + at + 16, sizeof length);
        unlinkat(folder, buffer + at + 19, 0);
        at += length;
      }
    }
    close(folder);
  }
  rmdir(path);
}

constexpr std::string_view kEnding = ".part";

// `.NAME.`: what the names of all unfinished files of one output begin with. A name may have 255 bytes; of
// longer ones the first tell enough, as only those that nobody holds are removed.
std::string beginning(const std::string& target) { return "." + file_name(target).substr(0, 220) + "."; }

std::string random_name(const std::string& target) {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
    // No random numbers here. Names that are taken are tried no second time, so a count will do.
    static std::atomic<std::uint64_t> count{0};
    number = (static_cast<std::uint64_t>(getpid()) << 32) + count++;
  }
  const std::string folder = parent_folder(target);
  return fmt::format("{}{}{}{:016x}{}", folder, folder == "/" ? "" : "/", beginning(target), number, kEnding);
}

enum class Lock { kHeld, kTaken, kUnknown };

Lock try_lock(int descriptor) {
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    return errno == EWOULDBLOCK ? Lock::kTaken : Lock::kUnknown;  // some file systems know no locks
  }
  return Lock::kHeld;
}

// Removes the file or folder if nobody holds it, and it is certain.
void remove_if_stale(const std::string& path) {
  int descriptor = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == EISDIR)
    descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && try_lock(descriptor) == Lock::kHeld) {
    if (S_ISREG(status.st_mode)) unlink(path.c_str());
    if (S_ISDIR(status.st_mode)) remove_folder(path.c_str());
  }
  close(descriptor);
}

bool is_of(const std::string& name, const std::string& start) {
  if (name.size() <= start.size() + kEnding.size() || name.compare(0, start.size(), start) != 0) return false;
  const std::size_t middle = name.size() - start.size() - kEnding.size();
  return name.compare(name.size() - kEnding.size(), kEnding.size(), kEnding) == 0 &&
         name.find_first_not_of("0123456789abcdef-", start.size()) == start.size() + middle;
}

std::vector<std::string> parts_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return names;
  while (const dirent* entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (name.size() > kEnding.size() && name[0] == '.' && name.substr(name.size() - kEnding.size()) == kEnding)
      names.emplace_back(name);
  }
  closedir(entries);
  return names;
}

// Looks through a folder once in a process: an evaluation writes thousands of files into one.
void remove_stale(const std::string& target) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<std::string>> parts;  // by folder, as found at first
  const std::string folder = parent_folder(target);
  const std::string start = beginning(target);
  const std::lock_guard<std::mutex> guard(mutex);
  const auto [entry, is_new] = parts.try_emplace(folder);
  if (is_new) entry->second = parts_in(folder);
  for (std::string& name : entry->second)
    if (is_of(name, start)) {
      remove_if_stale(folder + "/" + name);
      name.clear();
    }
}

// Opens with `open_one(path)` under new names until one is ours: another process may take a fresh file for a
// stale one in the moment before it is locked.
template <typename OpenOne>
Unfinished make_unfinished(const std::string& target, const std::string& shown, int kind, OpenOne&& open_one) {
  remove_stale(target);
  for (int attempt = 0; attempt < 100; ++attempt) {
    Unfinished made;
    made.path = random_name(target);
    made.slot = enter(made.path, kind);
    made.descriptor = open_one(made.path);
    const int code = errno;
    if (made.descriptor < 0) {
      leave(made.slot);
      if (code == EEXIST || code == ENOENT) {
        struct stat status {};
        if (code == EEXIST || stat(parent_folder(target).c_str(), &status) == 0) continue;
      }
      cannot_write(shown, code);
    }
    struct stat status {};
    const Lock lock = try_lock(made.descriptor);
    if (lock != Lock::kTaken && fstat(made.descriptor, &status) == 0 && status.st_nlink > 0) return made;
    discard(made);
  }
  cannot_write(shown, EEXIST);
}

}  // namespace

Unfinished make_unfinished_file(const std::string& target, const std::string& shown) {
  struct stat status {};
  const mode_t mode = stat(target.c_str(), &status) == 0 ? 0600 : 0666;
  return make_unfinished(target, shown, kFile, [&](const std::string& path) {
    return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  });
}

Unfinished make_unfinished_folder(const std::string& target, const std::string& shown) {
  struct stat status {};
  const mode_t mode = stat(target.c_str(), &status) == 0 ? 0700 : 0777;
  return make_unfinished(target, shown, kFolder, [&](const std::string& path) {
    if (mkdir(path.c_str(), mode) != 0) return -1;
    return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  });
}

void take_mode_and_owner(const Unfinished& unfinished, const std::string& target) {
  struct stat old {};
  struct stat own {};
  if (stat(target.c_str(), &old) != 0 || fstat(unfinished.descriptor, &own) != 0) return;
  mode_t mode = old.st_mode & 07777;
  if (old.st_uid != own.st_uid || old.st_gid != own.st_gid) {
    if (fchown(unfinished.descriptor, old.st_uid, old.st_gid) != 0) {
      mode &= ~static_cast<mode_t>(S_ISUID);
      // What the old group could see is not for another: the new one gets what everybody has.
      if (old.st_gid != own.st_gid && fchown(unfinished.descriptor, static_cast<uid_t>(-1), old.st_gid) != 0)
        mode &= ~static_cast<mode_t>(S_ISGID | S_IRWXG) | ((mode & S_IRWXO) << 3);
    }
  }
  // Some file systems have no modes to set; the file is then as any other there.
  if (fchmod(unfinished.descriptor, mode) != 0) return;
}

void release(Unfinished& unfinished) {
  if (unfinished.descriptor >= 0) close(unfinished.descriptor);
  leave(unfinished.slot);
  unfinished = {};
}

void discard(Unfinished& unfinished) {
  if (unfinished.path.empty()) return;
  struct stat status {};
  if (lstat(unfinished.path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode))
      remove_folder(unfinished.path.c_str());
    else
      unlink(unfinished.path.c_str());
  }
  release(unfinished);
}

void remove_unfinished_files() {
  for (Registered& entry : registered) {
    const int kind = entry.state.load();
    if (kind == kFile) unlink(entry.path);
    if (kind == kFolder) remove_folder(entry.path);
  }
}

}  // namespace twofold
