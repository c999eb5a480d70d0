#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "twofold/base/span.h"

namespace twofold {

/// 128 bits that depend on everything added and on its order: for noticing that something changed, not against
/// forgers. Frozen: records, model files and checksums of datasets hold its text.
class Digest {
 public:
  // Two lanes that mix each word with different odd constants (the finalizer of splitmix64); the length of
  // every array goes in before it, so that no two arrays can trade values.
  void add(std::uint64_t word) {
    a_ = mix((a_ ^ word) * 0x9e3779b97f4a7c15u + 1);
    b_ = mix((b_ + word) * 0xd1342543de82ef95u ^ a_);
  }
  void add(double value);
  /// One step per character: what checksums of texts are frozen to. For much data take add_bytes.
  void add(const std::string& text);
  /// One step per 8 bytes.
  void add_bytes(std::string_view bytes);
  template <typename T>
  void add_integers(Span<const T> values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (const T value : values) add(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  }
  /// 32 hexadecimal digits.
  std::string text() const;

 private:
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t a_ = 0x243f6a8885a308d3u, b_ = 0x13198a2e03707344u;
};

/// Fuzzed files have no right checksum, and what lies behind the check is to be tried: the fuzz targets are
/// built without it.
#ifdef TWOFOLD_IGNORE_CHECKSUMS
inline constexpr bool kChecksumsCount = false;
#else
inline constexpr bool kChecksumsCount = true;
#endif

}  // namespace twofold
