#pragma once

#include <cstddef>
#include <vector>

namespace twofold::compute {

/// Buffers for one pass, aligned to 64 bytes, all given back at once and kept for the next pass: after the
/// first of a size nothing is allocated. One thread at a time.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  /// `count` values of T, not set to anything, until reset. Throws std::bad_alloc.
  template <typename T>
  T* take(std::size_t count) {
    return static_cast<T*>(bytes(count * sizeof(T)));
  }
  /// The same, all zero.
  template <typename T>
  T* take_zeros(std::size_t count) {
    T* values = take<T>(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = T{0};
    return values;
  }
  /// What was taken is no longer valid.
  void reset();
  /// Bytes it holds.
  std::size_t capacity() const;

 private:
  struct Block {
    void* data;
    std::size_t size;
  };
  void* bytes(std::size_t count);

  // All but the last are full; after a reset there is at most one.
  std::vector<Block> blocks_;
  std::size_t used_ = 0;
};

}  // namespace twofold::compute
