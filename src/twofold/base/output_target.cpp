#include "twofold/base/output_target.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "twofold/base/error.h"
#include "twofold/base/failure.h"
#include "twofold/base/path_parts.h"

namespace twofold {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as the kernel

[[noreturn]] void fail(const std::string& path, int code) { throw FileError("write", path, code); }

// Empty if there is no such path.
std::string real_path(const std::string& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) == nullptr ? "" : buffer;
}

// The N of a path that is /proc/self/fd/N. /dev/stdout and /dev/fd/N are links to it. The links in that folder
// do not lead where they say: `pipe:[123]` is no path, and a deleted file has another name.
std::optional<int> own_descriptor(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return std::nullopt;
  const std::string name = path.substr(slash + 1);
  if (name.empty() || name.size() > 9 || name.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  const std::string folder = real_path(parent_folder(path));
  if (folder.empty() || (folder != real_path("/proc/self/fd") && folder != real_path("/proc/thread-self/fd")))
    return std::nullopt;
  return std::stoi(name);
}

bool is_in_proc(const std::string& path) {
  struct statfs system {};
  return statfs(parent_folder(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

std::string link_target(const std::string& path, const std::string& shown) {
  char buffer[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), buffer, sizeof buffer);
  if (length < 0) fail(shown, errno);
  if (length == 0 || length == static_cast<ssize_t>(sizeof buffer)) fail(shown, ENAMETOOLONG);
  std::string target(buffer, static_cast<std::size_t>(length));
  if (target[0] != '/') target = parent_folder(path) + "/" + target;
  return target;
}

void require_writable(const std::string& path, const std::string& shown) {
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) fail(shown, errno);
}

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  const int failed = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status);
  if (failed != 0) return std::nullopt;
  return status;
}

// Absolute, links followed as far as there are files; a last part that does not exist stays as it is.
std::string place_of(const std::string& path) {
  std::error_code error;
  std::string target = path;
  while (target.size() > 1 && target.back() == '/') target.pop_back();
  try {
    target = find_output_target(target).path;
  } catch (const Error&) {  // not to be written, but it has a place
  }
  const fs::path place = fs::weakly_canonical(fs::absolute(target, error), error);
  return error ? target : place.string();
}

}  // namespace

OutputTarget find_output_target(const std::string& path) {
  if (path.empty()) fail("''", ENOENT);
  // The kernel's own word first: it also refuses links that others left in a folder such as /tmp.
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 && errno != ENOENT) fail(path, errno);
  std::string current = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    if (const auto descriptor = own_descriptor(current)) {
      const int flags = fcntl(*descriptor, F_GETFL);
      if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail(path, EBADF);
      return {OutputTarget::Kind::kDescriptor, current, *descriptor};
    }
    if (lstat(current.c_str(), &status) != 0) {
      if (errno != ENOENT) fail(path, errno);
      return {OutputTarget::Kind::kFile, current, -1};
    }
    if (S_ISLNK(status.st_mode) && !is_in_proc(current)) {
      current = link_target(current, path);
      continue;
    }
    if (S_ISSOCK(status.st_mode)) fail(path, ENXIO);
    if (!S_ISDIR(status.st_mode)) require_writable(current, path);
    const bool is_file = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
    return {is_file ? OutputTarget::Kind::kFile : OutputTarget::Kind::kThrough, current, -1};
  }
  fail(path, ELOOP);
}

bool is_written_through(const std::string& path) {
  try {
    return find_output_target(path).kind != OutputTarget::Kind::kFile;
  } catch (const Error&) {
    return false;
  }
}

bool is_same_file(const std::string& a, const std::string& b) {
  const auto first = status_of(a);
  const auto second = status_of(b);
  if (first && second) {
    if (!S_ISREG(first->st_mode) && !S_ISDIR(first->st_mode)) return false;
    return first->st_dev == second->st_dev && first->st_ino == second->st_ino;
  }
  if (first || second || a == "-" || b == "-") return false;
  return place_of(a) == place_of(b);
}

bool lies_in_folder(const std::string& path, const std::string& folder) {
  const auto status = status_of(folder);
  if (!status || !S_ISDIR(status->st_mode)) return false;
  const std::string outer = real_path(folder);
  if (outer.empty()) return false;
  const std::string inner = place_of(path);
  const std::string start = outer == "/" ? outer : outer + "/";
  return inner.size() > start.size() && inner.compare(0, start.size(), start) == 0;
}

}  // namespace twofold
