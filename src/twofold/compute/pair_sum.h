#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/compute/activation.h"
#include "twofold/compute/pair_plan.h"

namespace twofold::compute {

/// The buffers of one pair sum:
///   sums[f,:] = sum over the triples (a, b) of row f, as often as each counts, of act(z[a,:] + z[b,:] + bias)
/// (paper, Algorithm 1, lines 5-8), and of its gradient. T is float or double. Nothing here is owned; `ops` has
/// checked sizes. Strides count values from one row to the next.
template <typename T>
struct PairSumArgs {
  const PairPlan* plan = nullptr;
  Activation activation = Activation::kIdentity;
  std::size_t d = 0;

  // num_sources rows of d values.
  const T* z = nullptr;
  std::size_t z_stride = 0;
  // d values, or null for none.
  const T* bias = nullptr;

  // What the fused form keeps of z from forward to backward: num_sources rows of padded_width<T>(d) values,
  // aligned to 64 bytes (not used, and may be null, if reads_z_itself); and one a block: whether its logistic
  // is taken exactly. The reference needs neither.
  T* prepared = nullptr;
  std::uint8_t* is_exact = nullptr;

  // Forward writes num_rows rows of d values.
  T* sums = nullptr;
  std::size_t sums_stride = 0;

  // Backward reads the gradient of the sums, num_rows rows of d values, …
  const T* g = nullptr;
  std::size_t g_stride = 0;
  // … copies it into num_rows rows of padded_width<T>(d) values, aligned to 64 bytes (may be null if g itself
  // is so) …
  T* g_prepared = nullptr;
  // … and writes the gradient of z: num_sources rows of d values. That of the bias is half the sum of all rows.
  T* dz = nullptr;
  std::size_t dz_stride = 0;

  // 0: all there are. Changes no bit.
  int threads = 1;
};

/// Values a row in the padded buffers: d rounded up to whole cache lines, so to whole vectors of any target.
template <typename T>
constexpr std::size_t padded_width(std::size_t d) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  return (d + kLine - 1) / kLine * kLine;
}

/// Whether the fused form needs no copy of z: nothing is to be computed a row, and rows are padded and aligned
/// as they are. Backward then reads z, which must be as it was.
template <typename T>
bool reads_z_itself(const PairSumArgs<T>& args) {
  return (args.activation == Activation::kIdentity || args.activation == Activation::kRelu) &&
         args.bias == nullptr && args.z_stride == args.d && padded_width<T>(args.d) == args.d &&
         reinterpret_cast<std::uintptr_t>(args.z) % 64 == 0;
}

/// Plain loops over the definition in double, one thread: slow and obvious.
/// Forward gives false, and sums of no use, if some z, bias or sum is not finite.
template <typename T>
bool pair_sum_reference(const PairSumArgs<T>& args);
/// The gradient of z from g, by handing each triple's slope to its two rows.
template <typename T>
void pair_sum_backward_reference(const PairSumArgs<T>& args);

/// Each row's sum stays in registers and has one writer: nothing of the size of the triples is stored, and the
/// bits are the same for any number of threads. Returns as the reference.
template <typename T>
bool pair_sum_fused(const PairSumArgs<T>& args);
/// A gather as well. Reads `prepared` and `is_exact` as the forward left them.
template <typename T>
void pair_sum_backward_fused(const PairSumArgs<T>& args);

/// The forms by name, for tests and benchmarks.
template <typename T>
struct PairSumForm {
  const char* name;
  bool (*forward)(const PairSumArgs<T>&);
  void (*backward)(const PairSumArgs<T>&);
};
template <typename T>
inline constexpr PairSumForm<T> kPairSumForms[] = {
    {"reference", pair_sum_reference<T>, pair_sum_backward_reference<T>},
    {"fused", pair_sum_fused<T>, pair_sum_backward_fused<T>},
};

}  // namespace twofold::compute
