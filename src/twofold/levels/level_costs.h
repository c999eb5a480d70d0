#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/levels/color_levels.h"
#include "twofold/levels/neighbor_levels.h"

namespace twofold::levels {

/// Rows and triples (for neighbor sums: entries).
struct Work {
  double rows = 0;
  double triples = 0;
};

/// How much one epoch computes, row by row or color by color: what an engine is chosen by.
struct LevelCosts {
  // A layer row by row: all rows and triples of the dataset, in batches or not.
  Work plain;
  // For levels 1…T: what layer k computes if all graphs are one batch, and in batches of a given size, all
  // batches of an epoch together. Rows are those of level k-1: products are made there, each once, before
  // triples are summed.
  std::vector<Work> whole;
  std::vector<Work> batched;
  // Batches of an epoch, and how many of them were looked at.
  std::size_t num_batches = 0;
  std::size_t num_samples = 0;

  /// Work of T layers in all.
  Work plain_sum() const {
    const auto T = static_cast<double>(whole.size());
    return {T * plain.rows, T * plain.triples};
  }
  Work whole_sum() const { return sum(whole); }
  Work batched_sum() const { return sum(batched); }

 private:
  static Work sum(const std::vector<Work>& levels) {
    Work all;
    for (const Work& level : levels) {
      all.rows += level.rows;
      all.triples += level.triples;
    }
    return all;
  }
};

/// Counts the whole and estimates batches from at most `samples` of them, drawn without repetition by a fixed
/// seed; with enough samples the estimate is a count. O(size of the samples). Needs batch_size > 0.
LevelCosts estimate_costs(const ColorLevels& levels, std::size_t batch_size, std::size_t samples = 8);
LevelCosts estimate_costs(const NeighborLevels& levels, std::size_t batch_size, std::size_t samples = 8);

}  // namespace twofold::levels
