#pragma once

#include <cstdint>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/base/span.h"
#include "twofold/gram/vocabulary.h"

namespace twofold::gram {

/// How often each of some graphs has each feature of a vocabulary: a sparse matrix by rows, a row per graph.
/// Row g stands at starts[g]…starts[g+1], its columns ascending. The inner product of two rows is the kernel of
/// products, exactly.
struct SparseCounts {
  std::uint64_t num_columns = 0;
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> columns;
  std::vector<std::uint64_t> counts;

  std::size_t num_rows() const { return starts.size() - 1; }
  std::uint64_t bytes() const { return 8 * starts.size() + 4 * columns.size() + 8 * counts.size(); }
};

/// Which columns the features of a vocabulary have: those of later rounds come after those of earlier ones,
/// within a round by number. A feature of weight 2 (wl-sp counts ordered pairs of two different colors in one
/// order only) has two neighboring columns.
class FeatureColumns {
 public:
  explicit FeatureColumns(const Vocabulary& vocabulary);

  std::uint64_t size() const { return size_; }
  /// The first column of a feature; it has as many as its weight.
  std::uint64_t first(std::size_t round, std::uint32_t feature) const { return first_[round][feature]; }

 private:
  std::uint64_t size_ = 0;
  std::vector<std::vector<std::uint64_t>> first_;
};

/// Counts the features of graphs that come in blocks; new ones enter the vocabulary, which must outlive this.
class CountsBuilder {
 public:
  /// `num_graphs` are to come in all: so that lists do not grow by copying themselves.
  CountsBuilder(Vocabulary& vocabulary, std::size_t num_graphs, std::uint64_t max_memory = 0);
  /// Limits as find_counts. `progress` counts the graphs of the block.
  void add(Span<const Graph> graphs, const Progress& progress = {});
  /// Columns as FeatureColumns says of the vocabulary now.
  SparseCounts finish() &&;

 private:
  Vocabulary& vocabulary_;
  std::uint64_t max_memory_;
  std::uint64_t limit_;
  std::size_t expected_;
  std::size_t num_graphs_ = 0;  // so far
  // The columns are known only when all graphs have been read: until then a feature stands for its column,
  // round by round.
  SparseCounts all_;
  std::vector<std::uint32_t> sizes_;  // entries per graph and round
};

/// The same of all graphs at once.
SparseCounts add_counts(Vocabulary& vocabulary, Span<const Graph> graphs, std::uint64_t max_memory = 0,
                        const Progress& progress = {});

/// Appends a row. Throws Error beyond 2^32-1 columns.
void append_row(SparseCounts& counts, const Vocabulary& vocabulary, const FeatureColumns& columns,
                const GraphFeatures& features);

/// The features of all graphs, with columns as FeatureColumns says. The same for any number of threads. Throws
/// Error, naming need and limit, where the result takes more than max_memory bytes (0: nine tenths of what the
/// process may have).
SparseCounts find_counts(const Vocabulary& vocabulary, Span<const Graph> graphs, int threads = 0,
                         std::uint64_t max_memory = 0, const Progress& progress = {});
/// The same, appended to `counts`, which has the rows of the graphs before.
void find_more_counts(const Vocabulary& vocabulary, const FeatureColumns& columns, Span<const Graph> graphs,
                      int threads, std::uint64_t limit, const Progress& progress, SparseCounts& counts);

}  // namespace twofold::gram
