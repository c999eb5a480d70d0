#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace twofold {

/// A view of `size` values that lie one after the other; it owns nothing.
/// (std::span is C++20.) Valid as long as what it was made from is neither changed nor destroyed.
template <typename T>
class Span {
 public:
  using value_type = std::remove_const_t<T>;

  constexpr Span() = default;
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
  Span(std::vector<value_type>& values) : data_(values.data()), size_(values.size()) {}
  template <typename U = T, typename = std::enable_if_t<std::is_const_v<U>>>
  Span(const std::vector<value_type>& values) : data_(values.data()), size_(values.size()) {}

  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <typename A, typename B>
bool operator==(Span<A> a, Span<B> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a[i] == b[i])) return false;
  return true;
}
template <typename A, typename B>
bool operator!=(Span<A> a, Span<B> b) {
  return !(a == b);
}

}  // namespace twofold
