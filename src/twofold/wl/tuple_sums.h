#pragma once

#include <cstddef>
#include <cstdint>

namespace twofold::wl {

/// Rows of tables are padded with zeros to a multiple of this many values: such items add nothing to a sum.
inline constexpr std::size_t kTableLanes = 4;
inline std::size_t padded_row(std::size_t n) { return (n + kTableLanes - 1) / kTableLanes * kTableLanes; }

/// The tuples (v1, …, v(k-1), c), c = 0…n-1, for one fixed beginning.
struct TupleSumsArgs {
  std::size_t n = 0;
  std::size_t stride = 0;  // padded_row(n)
  // `stride` values: over w those of (v1, …, v(k-1), w).
  const std::uint64_t* last = nullptr;
  // k - 1 tables, each n rows of `stride` values; row c of the j-th holds over w those of the tuple that ends
  // in c and has w in place j.
  const std::uint64_t* const* others = nullptr;
  std::size_t num_others = 0;
  // n sums.
  std::uint64_t* sums = nullptr;
};

/// sums[c] = Σ over w of P(… P(P(last[w], others[0][c,w]), others[1][c,w]) …)
/// with P = pair_product (mix.h), its result x folded to x ^ (x >> 32) before it enters the next P.
///
/// All arithmetic is on integers, so the sums are the same on every CPU. k n multiplications a tuple, four at a
/// time where the CPU has AVX2. Four c share the loads of `last`.
void tuple_sums(const TupleSumsArgs& args);

}  // namespace twofold::wl
