#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/gram/gram_matrix.h"
#include "twofold/gram/kernel.h"

namespace twofold::gram {

/// How often each graph has each feature; only what is not zero is stored.
struct FeatureCounts {
  std::size_t num_features = 0;
  // num_graphs + 1 ascending positions in features and counts; the first is 0.
  std::vector<std::uint64_t> offsets = {0};
  // Below num_features, each at most once per graph.
  std::vector<std::uint32_t> features;
  // At least 1, parallel to features.
  std::vector<std::uint64_t> counts;
  // Empty (all are 1), or one factor per feature: wl-sp counts the ordered pairs of two different colors in one
  // order only, with factor 2.
  std::vector<std::uint8_t> weights;

  std::size_t num_graphs() const { return offsets.size() - 1; }
  std::uint64_t weight(std::uint32_t feature) const { return weights.empty() ? 1 : weights[feature]; }
  void check() const;
};

/// Which rows of a Gram matrix are computed.
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

/// Adds up rows of a Gram matrix from feature counts that come in parts: K(a,b) = Σ over features of
/// weight · count in a · count in b, or, by intersection, of weight · the smaller of both.
///
/// Each part is one sparse product: a feature costs the number of graphs that have it, for each row; of all
/// rows half of that, since the matrix is symmetric. Features of one graph only touch the diagonal. Rows are
/// shared among threads; the result depends neither on their number nor on which rows are made together.
class GramSum {
 public:
  /// Throws Error if the rows, 8 · rows · num_graphs bytes, are larger than max_memory.
  GramSum(std::size_t num_graphs, RowRange rows, int threads, std::uint64_t max_memory,
          Combine combine = Combine::kProduct);
  /// All rows.
  GramSum(std::size_t num_graphs, int threads, std::uint64_t max_memory, Combine combine = Combine::kProduct)
      : GramSum(num_graphs, {0, num_graphs}, threads, max_memory, combine) {}

  /// Needs part.num_graphs() == num_graphs.
  void add(const FeatureCounts& part);
  /// A feature that no other graph has.
  void add_private(std::size_t graph, std::uint64_t count, std::uint64_t weight = 1);

  /// Throws Error if an entry exceeds 2^63-1.
  GramMatrix finish() &&;

  /// What it holds.
  std::uint64_t bytes() const { return sizeof(std::int64_t) * values_.size() + sizeof(Unsigned) * size_; }

 private:
  __extension__ typedef unsigned __int128 Unsigned;

  bool is_whole() const { return rows_.size() == size_; }
  void mirror();

  std::size_t size_;
  RowRange rows_;
  int threads_;
  Combine combine_;
  // Modulo 2^64, of all rows those above the diagonal: no entry is larger than the largest on the diagonal
  // (Cauchy and Schwarz; of two numbers none is smaller than the smaller).
  std::vector<std::int64_t> values_;
  std::vector<Unsigned> diagonal_;
};

}  // namespace twofold::gram
