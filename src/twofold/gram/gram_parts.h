#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "twofold/gram/feature_counts.h"
#include "twofold/gram/gram.h"
#include "twofold/gram/vertex_colors.h"

namespace twofold::gram {

/// Counts steps of a parallel loop and tells them.
class ProgressCount {
 public:
  ProgressCount(Progress progress, std::uint64_t total) : progress_(std::move(progress)), total_(total) {}
  void step() {
    if (!progress_) return;
    const std::lock_guard<std::mutex> lock(guard_);
    progress_(++done_, total_);
  }

 private:
  Progress progress_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::mutex guard_;
};

// What gram_matrix is made of: a kernel's features, added to the sum in parts. options.max_memory is resolved
// and was so before the sum took its memory.

/// wl-sp, in as many passes over the graphs as the memory asks for.
void add_paths(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options, GramSum& sum);

/// 2-lwl, 2-gwl and 2-wl, round by round.
void add_pairs(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options, GramSum& sum);

/// The colors of every graph's vertices (VertexColors::add), new ones filed in `tables`, beside a sum of `held`
/// bytes.
std::vector<std::vector<std::uint32_t>> color_vertices(Span<const Graph> graphs, VertexColors& tables,
                                                       const GramOptions& options, std::uint64_t held);

// What they need beside the sum at least, as far as that can be told before: some tables grow with what is
// found.
std::uint64_t vertex_bytes(Span<const Graph> graphs, const Kernel& kernel);
std::uint64_t path_bytes(Span<const Graph> graphs, const Kernel& kernel);
std::uint64_t pair_bytes(Span<const Graph> graphs, const Kernel& kernel, int threads);

}  // namespace twofold::gram
