#pragma once

#include <string>

namespace twofold {

/// Held by one at a time of all processes and threads that name the same path; the others wait. The kernel lets
/// go of it where a process dies. The file is made for the lock and goes with it. Where the file system knows
/// no locks, nobody waits. Throws Error naming the path where no file can be made.
class FileLock {
 public:
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace twofold
