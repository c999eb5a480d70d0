#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "twofold/base/span.h"

namespace twofold::levels {

/// A list of plain values that grows by realloc: large blocks are moved by changing page tables, so growing to
/// gigabytes never holds two copies, and what was reserved but not written takes no memory.
template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~GrowingArray() { std::free(data_); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return data_; }
  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T& back() const { return data_[size_ - 1]; }
  Span<const T> view() const { return {data_, size_}; }
  Span<const T> view(std::size_t begin, std::size_t end) const { return {data_ + begin, end - begin}; }
  /// Bytes of the values.
  std::uint64_t bytes() const { return size_ * sizeof(T); }

  void push_back(T value) {
    reserve(size_ + 1);
    data_[size_++] = value;
  }
  void append(Span<const T> values) {
    if (values.empty()) return;
    reserve(size_ + values.size());
    std::memcpy(data_ + size_, values.data(), values.size() * sizeof(T));
    size_ += values.size();
  }
  /// So many more values, which are not set yet.
  void extend(std::size_t count) {
    reserve(size_ + count);
    size_ += count;
  }
  void reserve(std::size_t needed) {
    if (needed <= capacity_) return;
    std::size_t room = capacity_ + capacity_ / 2 + 16;
    if (room < needed) room = needed;
    void* moved = std::realloc(data_, room * sizeof(T));
    // Near a limit there may be room for what is needed, if not for more.
    if (moved == nullptr && room > needed) moved = std::realloc(data_, (room = needed) * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = room;
  }
  /// Keeps the memory.
  void clear() { size_ = 0; }
  /// Gives back what was reserved beyond the values.
  void shrink() {
    if (size_ == capacity_ || size_ == 0) return;
    if (void* moved = std::realloc(data_, size_ * sizeof(T))) {
      data_ = static_cast<T*>(moved);
      capacity_ = size_;
    }
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace twofold::levels
