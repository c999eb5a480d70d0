#include "twofold/base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "twofold/base/error.h"
#include "twofold/base/failure.h"
#include "twofold/base/path_parts.h"

namespace twofold {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int code) {
  throw FileError(what, path, code);
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

// Pipes and some file systems cannot be synced; that is no failure.
void sync_file(int descriptor, const std::string& path) {
  if (fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
    fail("write", path, errno);
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) {  // a descriptor that whoever started us does not wait on
        pollfd ready{descriptor, POLLOUT, 0};
        poll(&ready, 1, -1);
        continue;
      }
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

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(find_output_target(path)) {
  if (target_.kind != OutputTarget::Kind::kFile) return;
  struct stat status {};
  const bool exists = stat(target_.path.c_str(), &status) == 0;
  if (target_.path.back() == '/' || (exists && S_ISDIR(status.st_mode))) fail("write", path, EISDIR);
  unfinished_ = make_unfinished_file(target_.path, path_);
}

AtomicFile::~AtomicFile() {
  if (target_.kind == OutputTarget::Kind::kFile)
    discard(unfinished_);
  else
    release(unfinished_);
}

void AtomicFile::flush() {
  if (unfinished_.descriptor < 0) {
    // O_TRUNC is for the file behind another process's descriptor; pipes and devices know nothing of it.
    const bool is_own = target_.kind == OutputTarget::Kind::kDescriptor;
    unfinished_.descriptor = is_own ? fcntl(target_.descriptor, F_DUPFD_CLOEXEC, 3)
                                    : open(target_.path.c_str(), O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
    if (unfinished_.descriptor < 0) fail("write", path_, errno);
  }
  write_all(unfinished_.descriptor, buffer_, path_);
  buffer_.clear();
}

void AtomicFile::write(std::string_view bytes) {
  TWOFOLD_CHECK(!is_committed_, "{} is already committed", path_);
  buffer_.append(bytes);
  if (buffer_.size() >= (1u << 18)) flush();
}

void AtomicFile::commit() {
  TWOFOLD_CHECK(!is_committed_, "{} is already committed", path_);
  flush();
  const bool is_file = target_.kind == OutputTarget::Kind::kFile;
  if (is_file) take_mode_and_owner(unfinished_, target_.path);
  sync_file(unfinished_.descriptor, path_);
  if (is_file && rename(unfinished_.path.c_str(), target_.path.c_str()) != 0) fail("write", path_, errno);
  is_committed_ = true;
  release(unfinished_);
  if (is_file) sync_folder(parent_folder(target_.path));
}

AtomicFolder::AtomicFolder(const std::string& path) : path_(without_trailing_slashes(path)) {
  const OutputTarget target = find_output_target(path_);
  if (target.kind != OutputTarget::Kind::kFile) fail("write", path_, EEXIST);
  target_ = without_trailing_slashes(target.path);
  if (DIR* folder = opendir(target_.c_str())) {
    bool empty = true;
    while (const dirent* entry = readdir(folder))
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) empty = false;
    closedir(folder);
    if (!empty) throw Error(fmt::format("cannot write {}: the folder exists and is not empty", path_));
    const std::string name = file_name(target_);  // these have no place beside them to be renamed from
    if (name == "." || name == ".." || name == "/") fail("write", path_, EBUSY);
  } else if (errno != ENOENT) {
    const int code = errno;
    struct stat status {};
    fail("write", path_, stat(target_.c_str(), &status) == 0 && !S_ISDIR(status.st_mode) ? EEXIST : code);
  }
  unfinished_ = make_unfinished_folder(target_, path_);
}

AtomicFolder::~AtomicFolder() { discard(unfinished_); }

void AtomicFolder::write_file(const std::string& name, std::string_view bytes) {
  const std::string path = unfinished_.path + "/" + name;
  const std::string shown = path_ + "/" + name;
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("write", shown, errno);
  try {
    write_all(descriptor, bytes, shown);
    sync_file(descriptor, shown);
  } catch (...) {
    close(descriptor);
    throw;
  }
  close(descriptor);
}

void AtomicFolder::commit() {
  take_mode_and_owner(unfinished_, target_);
  sync_folder(unfinished_.path);
  // rename() replaces an empty folder, and refuses one that something else filled in the meantime.
  if (rename(unfinished_.path.c_str(), target_.c_str()) != 0) fail("write", path_, errno);
  release(unfinished_);
  sync_folder(parent_folder(target_));
}

}  // namespace twofold
