#include "twofold/record/blob_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/file_lock.h"
#include "twofold/base/memory_limit.h"

namespace twofold::record {
namespace {

[[noreturn]] void fail(const char* what, const std::string& path) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, system_error_text(errno)));
}

class MappedFile : public Blob {
 public:
  MappedFile(int descriptor, std::size_t size, const std::string& path) : size_(size), memory_(path, size) {
    if (size == 0) return;
    address_ = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (address_ == MAP_FAILED) fail("map", path);
    bytes_ = {static_cast<const char*>(address_), size};
  }
  ~MappedFile() override {
    if (size_ > 0) munmap(address_, size_);
  }

 private:
  void* address_ = nullptr;
  std::size_t size_;
  MappedMemory memory_;
};

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

// Null if there is no such file.
std::shared_ptr<const Blob> map_file(const std::string& path) {
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) {
    if (errno == ENOENT) return nullptr;
    fail("open", path);
  }
  struct stat status {};
  if (fstat(file.number, &status) != 0) fail("read", path);
  return std::make_shared<MappedFile>(file.number, static_cast<std::size_t>(status.st_size), path);
}

}  // namespace

std::shared_ptr<const Blob> BlobCache::get(const std::string& name,
                                           const std::function<void(const BlobSink&)>& make) {
  const std::string path = folder_ + "/" + name;
  if (auto blob = map_file(path)) return blob;
  // Where the file system knows no locks, the file may be made twice; both times it is the same.
  const FileLock lock(path + ".lock");
  if (auto blob = map_file(path)) return blob;
  AtomicFile file(path);
  make([&file](std::string_view bytes) { file.write(bytes); });
  file.commit();
  auto blob = map_file(path);
  if (!blob) throw Error(fmt::format("{} vanished as soon as it was written", path));
  return blob;
}

}  // namespace twofold::record
