#pragma once

#include <cstdint>
#include <string>

namespace twofold::graph {

/// How far apart two nodes may be to form a pair, the r of G^r: 1, 2, … steps, or `all` (every pair, connected
/// or not). Not to be mixed up with the radius of a graph, its smallest eccentricity (graph/radius.h).
class PowerRadius {
 public:
  /// A number is a radius. Throws UsageError for r < 1 and for r above 2^31-1.
  PowerRadius(std::int64_t r);  // NOLINT(google-explicit-constructor)
  static PowerRadius all();

  bool is_all() const { return steps_ == 0; }
  /// Needs !is_all().
  std::uint32_t steps() const;

  friend bool operator==(PowerRadius a, PowerRadius b) { return a.steps_ == b.steps_; }
  friend bool operator!=(PowerRadius a, PowerRadius b) { return !(a == b); }

 private:
  PowerRadius() = default;
  std::uint32_t steps_ = 0;  // 0 stands for all
};

/// `1`, `8`, `all`, as --radius takes it: digits without a leading zero. Throws UsageError naming what was
/// found for anything else.
PowerRadius parse_radius(const std::string& text);

/// The inverse of parse_radius.
std::string to_string(PowerRadius radius);

}  // namespace twofold::graph
