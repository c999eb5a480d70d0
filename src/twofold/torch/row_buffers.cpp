#include "twofold/torch/row_buffers.h"

#include <torch/torch.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace twofold::tensors {
namespace {

constexpr std::size_t kMostKept = std::size_t{512} << 20;
// Smaller ones are the allocator's business; it keeps them itself.
constexpr std::size_t kSmallest = std::size_t{64} << 10;

class Pool {
 public:
  void* take(std::size_t bytes) {
    {
      const std::lock_guard<std::mutex> lock(guard_);
      // The smallest that fits, unless it would waste more than it holds.
      const auto found = free_.lower_bound(bytes);
      if (found != free_.end() && found->first <= 2 * bytes) {
        void* buffer = found->second;
        size_of_[buffer] = found->first;
        kept_ -= found->first;
        free_.erase(found);
        return buffer;
      }
    }
    void* buffer = std::aligned_alloc(64, bytes);
    if (buffer == nullptr) {  // near the limit, what is kept for later is in the way
      drop();
      buffer = std::aligned_alloc(64, bytes);
    }
    if (buffer == nullptr) throw std::bad_alloc();
    const std::lock_guard<std::mutex> lock(guard_);
    size_of_[buffer] = bytes;
    return buffer;
  }

  void give_back(void* buffer) {
    const std::lock_guard<std::mutex> lock(guard_);
    const auto found = size_of_.find(buffer);
    const std::size_t bytes = found->second;
    size_of_.erase(found);
    if (kept_ + bytes > kMostKept) {
      std::free(buffer);
      return;
    }
    kept_ += bytes;
    free_.emplace(bytes, buffer);
  }

  void drop() {
    const std::lock_guard<std::mutex> lock(guard_);
    for (const auto& [bytes, buffer] : free_) std::free(buffer);
    free_.clear();
    kept_ = 0;
  }

 private:
  std::mutex guard_;
  std::multimap<std::size_t, void*> free_;  // by size
  std::map<void*, std::size_t> size_of_;    // of those in use
  std::size_t kept_ = 0;
};

// Never destroyed: tensors that outlive main still give their memory back to it.
Pool& pool() {
  static Pool* const the = new Pool;
  return *the;
}

}  // namespace

torch::Tensor empty_rows(std::uint64_t rows, std::uint64_t columns, const torch::Tensor& like) {
  const auto shape = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
  const std::size_t bytes = (rows * columns * like.element_size() + 63) / 64 * 64;
  if (bytes < kSmallest) return torch::empty(shape, like.options().requires_grad(false));
  return torch::from_blob(
      pool().take(bytes), shape, [](void* buffer) { pool().give_back(buffer); },
      torch::TensorOptions().dtype(like.scalar_type()));
}

void drop_row_buffers() { pool().drop(); }

}  // namespace twofold::tensors
