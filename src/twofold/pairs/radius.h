#pragma once

#include <cstdint>
#include <string>

namespace twofold::pairs {

/// How far apart two nodes may be to form a pair: 1, 2, … steps, or `all` (every pair, connected or not).
class Radius {
 public:
  /// Throws UsageError for r < 1 and for r above 2^31-1.
  explicit Radius(std::int64_t r);
  static Radius all();

  bool is_all() const { return steps_ == 0; }
  /// Needs !is_all().
  std::uint32_t steps() const;

  friend bool operator==(Radius a, Radius b) { return a.steps_ == b.steps_; }
  friend bool operator!=(Radius a, Radius b) { return !(a == b); }

 private:
  Radius() = default;
  std::uint32_t steps_ = 0;  // 0 stands for all
};

/// `1`, `8`, `all`, as --radius takes it. Throws UsageError naming what was found for anything else.
Radius parse_radius(const std::string& text);

/// The inverse of parse_radius.
std::string to_string(Radius radius);

}  // namespace twofold::pairs
