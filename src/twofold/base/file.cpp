#include "twofold/base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "twofold/base/error.h"

namespace twofold {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int code) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, system_error_text(code)));
}

// Paths not yet committed, readable by a signal handler: fixed places, a flag each.
struct Unfinished {
  std::atomic<int> state{0};  // 0 free, 1 being filled in, 2 a file, 3 a folder
  char path[4096];
};
std::array<Unfinished, 64> unfinished;

constexpr int kFile = 2;
constexpr int kFolder = 3;

int register_unfinished(const std::string& path, int kind) {
  if (path.size() >= sizeof unfinished[0].path) return -1;
  for (std::size_t i = 0; i < unfinished.size(); ++i) {
    int expected = 0;
    if (!unfinished[i].state.compare_exchange_strong(expected, 1)) continue;
    std::memcpy(unfinished[i].path, path.c_str(), path.size() + 1);
    unfinished[i].state.store(kind);
    return static_cast<int>(i);
  }
  return -1;
}

void unregister(int slot) {
  if (slot >= 0) unfinished[static_cast<std::size_t>(slot)].state.store(0);
}

// Only system calls, no opendir: this runs in signal handlers.
void remove_folder(const char* path) {
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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

std::string parent_folder(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string without_trailing_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// A rename is on disk only once its folder is. Some file systems refuse to sync folders; that is no failure.
void sync_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}/.{}.{}-{}.part", parent_folder(path), file_name(path), getpid(), counter++);
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write", path, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string file_name(const std::string& path) {
  const std::string trimmed = without_trailing_slashes(path);
  const auto slash = trimmed.find_last_of('/');
  return slash == std::string::npos ? trimmed : trimmed.substr(slash + 1);
}

std::string read_file(const std::string& path) {
  const bool is_stdin = path == "-";
  const std::string shown = is_stdin ? "standard input" : path;
  const int descriptor = is_stdin ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail("open", shown, errno);
  struct Closer {
    int descriptor;
    ~Closer() {
      if (descriptor != STDIN_FILENO) close(descriptor);
    }
  } closer{descriptor};

  struct stat status {};
  if (fstat(descriptor, &status) != 0) fail("read", shown, errno);
  std::string content;
  // One byte more than the file claims, so that its end is seen by the same read.
  std::size_t room = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : 1u << 16;
  std::size_t size = 0;
  for (;;) {
    if (size == content.size()) content.resize(size == 0 ? room : 2 * size);
    const ssize_t got = ::read(descriptor, content.data() + size, content.size() - size);
    if (got < 0) {
      if (errno == EINTR) continue;
      fail("read", shown, errno);
    }
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  content.resize(size);
  return content;
}

AtomicFile::AtomicFile(const std::string& path) : path_(path), temporary_(temporary_name(path)) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) fail("write", path, EISDIR);
  slot_ = register_unfinished(temporary_, kFile);
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    const int code = errno;
    unregister(slot_);
    fail("write", path_, code);
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(temporary_.c_str());
  unregister(slot_);
}

void AtomicFile::flush() {
  write_all(descriptor_, buffer_, path_);
  buffer_.clear();
}

void AtomicFile::write(std::string_view bytes) {
  TWOFOLD_CHECK(descriptor_ >= 0, "{} is already committed", path_);
  buffer_.append(bytes);
  if (buffer_.size() >= (1u << 18)) flush();
}

void AtomicFile::commit() {
  TWOFOLD_CHECK(descriptor_ >= 0, "{} is already committed", path_);
  flush();
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail("write", path_, errno);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("write", path_, errno);
  close(descriptor_);
  descriptor_ = -1;
  unregister(slot_);
  sync_folder(parent_folder(path_));
}

AtomicFolder::AtomicFolder(const std::string& path)
    : path_(without_trailing_slashes(path)), temporary_(temporary_name(path_)) {
  if (DIR* folder = opendir(path_.c_str())) {
    bool empty = true;
    while (const dirent* entry = readdir(folder))
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) empty = false;
    closedir(folder);
    if (!empty) throw Error(fmt::format("cannot write {}: the folder exists and is not empty", path_));
  } else if (errno != ENOENT) {
    const int code = errno;
    struct stat status {};
    fail("write", path_, stat(path_.c_str(), &status) == 0 && !S_ISDIR(status.st_mode) ? EEXIST : code);
  }
  slot_ = register_unfinished(temporary_, kFolder);
  if (mkdir(temporary_.c_str(), 0777) != 0) {
    const int code = errno;
    unregister(slot_);
    temporary_.clear();
    fail("write", path_, code);
  }
}

AtomicFolder::~AtomicFolder() {
  if (temporary_.empty()) return;
  remove_folder(temporary_.c_str());
  unregister(slot_);
}

void AtomicFolder::write_file(const std::string& name, std::string_view bytes) {
  const std::string path = temporary_ + "/" + name;
  const std::string shown = path_ + "/" + name;
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("write", shown, errno);
  try {
    write_all(descriptor, bytes, shown);
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS) fail("write", shown, errno);
  } catch (...) {
    close(descriptor);
    throw;
  }
  close(descriptor);
}

void AtomicFolder::commit() {
  sync_folder(temporary_);
  // rename() replaces an empty folder, and refuses one that something else filled in the meantime.
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("write", path_, errno);
  temporary_.clear();
  unregister(slot_);
  sync_folder(parent_folder(path_));
}

void remove_unfinished_files() {
  for (Unfinished& entry : unfinished) {
    const int kind = entry.state.load();
    if (kind == kFile) unlink(entry.path);
    if (kind == kFolder) remove_folder(entry.path);
  }
}

}  // namespace twofold
