#pragma once

#include <cstdint>

namespace twofold {

/// While it lives, numbers below the smallest normal one (1.2e-38 of a float) count as 0 in the arithmetic of
/// the thread that made it, and in the loops of base/parallel.h that this thread runs. CPUs take a hundred
/// cycles for each of them, and networks whose units are nearly off have many. May be nested; off: they are
/// numbers again. Does nothing on CPUs other than x86-64 and AArch64.
class FlushDenormals {
 public:
  explicit FlushDenormals(bool on = true);
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

  /// Of this thread.
  static bool is_on();

 private:
  std::uint64_t before_;
};

}  // namespace twofold
