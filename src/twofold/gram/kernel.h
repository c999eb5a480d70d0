#pragma once

#include <string>

#include "twofold/graph/power_radius.h"

namespace twofold::gram {

/// Definitions: docs/kernels.md.
enum class KernelKind {
  kWlSubtree,       // wl-st: vertices by their 1-WL color
  kWlShortestPath,  // wl-sp: ordered vertex pairs by both 1-WL colors and their distance
  kLocalSets,       // 2-lwl: 2-element vertex sets, refined by exchanging a vertex for a neighbor of it
  kGlobalSets,      // 2-gwl: 2-element vertex sets, refined by exchanging a vertex for any other
  kRows,  // 2-wl: vertex pairs up to the radius, loops too, refined as the WL test 2-wl does (wl_test.h)
};

/// What two graphs' counts of one feature give; the kernel is the sum over all features.
enum class Combine {
  kProduct,       // their product: the inner product of the counts
  kIntersection,  // the smaller one: histogram intersection, the value of an optimal assignment (WL-OA)
};
/// `product` or `intersection`; throws UsageError for another word.
Combine parse_combine(const std::string& word);
/// The word parse_combine takes.
std::string to_string(Combine combine);

/// A graph kernel. The features of a graph are counts of colors, kept apart by round 0…iterations.
struct Kernel {
  KernelKind kind = KernelKind::kWlSubtree;
  /// Refinements after the initial colors, at least 0.
  int iterations = 3;
  /// Whether edge labels enter the colors. Node labels always do; attributes never.
  bool edge_labels = false;
  /// 2-wl only: pairs of vertices up to this distance are counted.
  graph::PowerRadius radius = 1;
  Combine combine = Combine::kProduct;
};
bool operator==(const Kernel& a, const Kernel& b);

/// `wl-st`, `wl-sp`, `2-lwl`, `2-gwl`, `2-wl`; throws UsageError for another word.
KernelKind parse_kernel(const std::string& word);
/// The word parse_kernel takes.
std::string kernel_name(KernelKind kind);
/// `wl-sp, 3 iterations` or `2-wl, radius 2, 3 iterations`, for messages.
std::string describe(const Kernel& kernel);
/// `wl-st, wl-sp, 2-lwl, 2-gwl or 2-wl`.
std::string kernel_names();
/// Throws UsageError unless iterations is in 0…kMaxIterations.
void require_valid(const Kernel& kernel);

/// Far beyond what any graph of a dataset tells apart; bounds what a model file may ask for.
inline constexpr int kMaxIterations = 1000;

}  // namespace twofold::gram
