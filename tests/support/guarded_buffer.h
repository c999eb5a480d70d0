#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

namespace twofold::testing {

/// Values that end where the next page begins, which may be neither read nor written: one value too far and the
/// test dies. They start wherever that leads to, so at a multiple of a vector's size only if that many values
/// fill whole vectors.
template <typename T>
class GuardedBuffer {
 public:
  GuardedBuffer(std::size_t size, T value) : size_(size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t used = (size * sizeof(T) + page - 1) / page * page;
    bytes_ = used + page;
    pages_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages_ == MAP_FAILED) throw std::bad_alloc();
    char* end = static_cast<char*>(pages_) + used;
    mprotect(end, page, PROT_NONE);
    data_ = reinterpret_cast<T*>(end) - size;
    std::fill(data_, data_ + size, value);
  }
  explicit GuardedBuffer(const std::vector<T>& values) : GuardedBuffer(values.size(), T{}) {
    std::copy(values.begin(), values.end(), data_);
  }
  GuardedBuffer(GuardedBuffer&& other) noexcept
      : size_(other.size_), bytes_(other.bytes_), pages_(other.pages_), data_(other.data_) {
    other.pages_ = MAP_FAILED;
  }
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;
  ~GuardedBuffer() {
    if (pages_ != MAP_FAILED) munmap(pages_, bytes_);
  }

  T* get() { return data_; }
  std::vector<T> values() const { return std::vector<T>(data_, data_ + size_); }

 private:
  std::size_t size_;
  std::size_t bytes_ = 0;
  void* pages_ = MAP_FAILED;
  T* data_ = nullptr;
};

}  // namespace twofold::testing
