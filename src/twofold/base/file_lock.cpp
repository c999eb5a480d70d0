#include "twofold/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "twofold/base/error.h"

namespace twofold {

FileLock::FileLock(const std::string& path) : path_(path) {
  while (true) {
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw Error(fmt::format("cannot write {}: {}", path, system_error_text(errno)));
    while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
    // Whoever held it before has removed the file: then this is a lock that nobody else will look at.
    struct stat held {
    }, there{};
    if (fstat(descriptor_, &held) == 0 && stat(path.c_str(), &there) == 0 && held.st_ino == there.st_ino &&
        held.st_dev == there.st_dev)
      return;
    close(descriptor_);
  }
}

FileLock::~FileLock() {
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace twofold
