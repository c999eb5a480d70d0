#include "twofold/eval/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::eval {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const std::string& path, int code) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, system_error_text(code)));
}

int open_lock(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("write", path, errno);
  return descriptor;
}

// Whether the lock was got. File systems without locks let everybody in: better than to let nobody.
bool try_flock(int descriptor, int kind) {
  while (flock(descriptor, kind | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    return errno != EWOULDBLOCK;
  }
  return true;
}

void name_holder(int descriptor) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string text = fmt::format("process {} on {}", getpid(), host.data());
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text.data(), text.size(), 0) < 0)
    return;  // only a name
}

std::string holder(const std::string& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const Error&) {
  }
  return text.empty() ? "another process" : in_quotes(text).substr(1, in_quotes(text).size() - 2);
}

std::string shard_lock_name(const Shard& shard) {
  return fmt::format(".lock-{}-of-{}", shard.index, shard.count);
}

// The shard that keeps the whole folder from being taken, if it is one.
std::string shard_holder(const std::string& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(".lock-", 0) != 0) continue;
    const int descriptor = open(entry.path().c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) continue;
    const bool is_free = try_flock(descriptor, LOCK_EX);
    close(descriptor);
    if (!is_free) return holder(entry.path().string());
  }
  return "";
}

}  // namespace

Shard parse_shard(const std::string& text) {
  unsigned index = 0, count = 0;
  int length = 0;
  if (std::sscanf(text.c_str(), "%7u/%7u%n", &index, &count, &length) != 2 ||
      static_cast<std::size_t>(length) != text.size() || index < 1 || index > count)
    throw UsageError(fmt::format("--shard: needed I/N with 1 <= I <= N, as 2/3, found {}", in_quotes(text)));
  return {index, count};
}

Held::~Held() {
  if (byte_ < 0) {
    close(descriptor_);
    return;
  }
  struct flock range {};
  range.l_type = F_UNLCK;
  range.l_whence = SEEK_SET;
  range.l_start = byte_;
  range.l_len = 1;
  fcntl(descriptor_, F_OFD_SETLK, &range);
}

RunFolder::~RunFolder() {
  if (claims_ >= 0) close(claims_);
}

void RunFolder::create() {
  for (const std::string& folder : {path_, file("tasks"), file("failed"), file("timing")}) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) fail("make the folder", folder, error.value());
  }
}

RunLock RunFolder::lock(const Shard& shard) {
  const std::string whole = file(".lock");
  const int descriptor = open_lock(whole);
  RunLock held;
  held.push_back(std::make_unique<Held>(descriptor));
  const bool is_part = shard.count > 1;
  if (!try_flock(descriptor, is_part ? LOCK_SH : LOCK_EX)) {
    const std::string part = is_part ? "" : shard_holder(path_);
    throw Error(fmt::format("{} is in use by {}", path_, part.empty() ? holder(whole) : part));
  }
  if (!is_part) {
    name_holder(descriptor);
    return held;
  }
  const std::string own = file(shard_lock_name(shard));
  const int second = open_lock(own);
  held.push_back(std::make_unique<Held>(second));
  if (!try_flock(second, LOCK_EX))
    throw Error(fmt::format("shard {}/{} of {} is in use by {}", shard.index, shard.count, path_, holder(own)));
  name_holder(second);
  return held;
}

void RunFolder::remove_leftovers() {
  for (const std::string& folder : {path_, file("tasks"), file("failed"), file("timing"), file("cache")}) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.size() > 6 && name[0] == '.' && name.compare(name.size() - 5, 5, ".part") == 0)
        fs::remove(entry.path(), ignored);
    }
  }
}

bool RunFolder::has(const std::string& name) const {
  if (access(file(name).c_str(), F_OK) == 0) return true;
  if (errno != ENOENT && errno != ENOTDIR) fail("read", file(name), errno);
  return false;
}

model::Config RunFolder::read(const std::string& name, record::Checksum checksum) const {
  return record::read_record(file(name), checksum);
}

void RunFolder::write(const std::string& name, const model::Config& content, int indent) {
  write_text(name, record::encode_record(content, indent));
}

void RunFolder::write_text(const std::string& name, const std::string& text) {
  AtomicFile out(file(name));
  out.write(text);
  out.commit();
}

void RunFolder::remove(const std::string& name) {
  std::error_code error;
  fs::remove_all(file(name), error);
  if (error) fail("remove", file(name), error.value());
}

bool RunFolder::is_claimed(std::size_t task) const {
  const int descriptor = open(file(".claims").c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(task);
  range.l_len = 1;
  const bool is_held = fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
  close(descriptor);
  return is_held;
}

std::unique_ptr<Held> RunFolder::try_claim(std::size_t task) {
  if (claims_ < 0) claims_ = open_lock(file(".claims"));
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(task);
  range.l_len = 1;
  while (fcntl(claims_, F_OFD_SETLK, &range) != 0) {
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EACCES) return nullptr;
    break;  // no locks here: a task may be done twice, with the same result
  }
  return std::make_unique<Held>(claims_, static_cast<long>(task));
}

}  // namespace twofold::eval
