#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/pairs/level.h"
#include "twofold/pairs/pair_features.h"
#include "twofold/pairs/radius.h"

namespace twofold::levels {

using pairs::Row;
using pairs::RowPair;

/// The rows of one round: one for every color that the pairs of all graphs together have after that many
/// rounds, numbered by first sight. All refer to the level before, but origin to level 0.
struct ColorLevel {
  // One a row: the color it had a round earlier. Empty on level 0.
  Span<const Row> own;
  // One a row: the color it had at the start (for jumping knowledge). On level 0 the row itself.
  Span<const Row> origin;
  // One more than there are rows, ascending from 0: positions in the next two. All 0 on level 0.
  Span<const std::uint64_t> offsets;
  // Pairs a <= b, strictly ascending by (a, b) within a row …
  Span<const RowPair> triples;
  // … and how often each counts, 1…2^31-1.
  Span<const std::uint32_t> multiplicity;

  std::size_t num_rows() const { return origin.size(); }
};

/// A pair of nodes with the initial features of a row of level 0. u == v on loops.
struct InitialRow {
  std::uint32_t graph;
  Node u;
  Node v;
  // Of enum pairs::RowKind.
  std::uint32_t kind;
};
inline bool operator==(InitialRow a, InitialRow b) {
  return a.graph == b.graph && a.u == b.u && a.v == b.v && a.kind == b.kind;
}

/// All rows of a dataset up to the color that T rounds of the 2-WL convolution give them: a network of T
/// convolutions computes the same features for all rows of one color, whatever its weights, so it need only
/// compute one of each (docs/colors.md). Exact: rows are merged after comparing all they consist of.
///
/// The arrays lie in `storage`: memory, or a file that is mapped. Copies share them. Reading from several
/// threads is safe.
struct ColorLevels {
  // Levels 0…T.
  std::vector<ColorLevel> levels;
  // One a row of level 0: the first pair that had these features.
  Span<const InitialRow> initial;
  // One more than there are graphs, ascending from 0: positions in the next three.
  Span<const std::uint64_t> pool_offsets;
  // A graph's rows of level T, strictly ascending …
  Span<const Row> pool_rows;
  // … how many pairs of the graph are of that color, at least 1 …
  Span<const std::uint64_t> pool_counts;
  // … and how many of those are loops.
  Span<const std::uint32_t> pool_loops;
  // One a graph: its rows and triples if nothing were merged (triples 0 where T is 0).
  Span<const std::uint64_t> graph_rows;
  Span<const std::uint64_t> graph_triples;

  std::shared_ptr<const void> storage;

  std::size_t num_graphs() const { return graph_rows.size(); }
  std::size_t num_rounds() const { return levels.size() - 1; }
  /// Bytes of the arrays.
  std::uint64_t memory() const;
  /// Throws CheckError unless every sentence above holds (`initial` aside). O(memory).
  void check() const;
};

/// Whether and how real attributes take part in the initial colors: they must agree bit by bit after they were
/// turned into the type that the network computes in.
enum class AttributeUse { kNone, kFloat, kDouble };

struct ColorLevelOptions {
  /// Of the convolution; at least 0.
  int rounds = 3;
  /// As in pairs::feature_layout: without them rows that differ in their kind alone are of one color.
  bool indicators = true;
  AttributeUse attributes = AttributeUse::kFloat;

  /// Puts twins (nodes that can be exchanged) together before pairs are made. Changes no color and no count,
  /// only the numbers that rows have, and the time.
  bool twins = true;
  /// 0: all there are. Changes nothing in the result.
  int threads = 0;
  /// In bytes; 0: nine tenths of what the process may have. More is an Error that names need and limit.
  std::uint64_t max_memory = 0;
  /// Told of graphs.
  Progress progress;
};

/// The levels of all graphs together. Graph by graph, all rounds of one before the next: in memory are the
/// result, its index (20 bytes a row) and the pairs of a few graphs, never their triples. Cost: T times the
/// triples of the graphs after twins are put together, sorted row by row. No graphs give levels without rows.
/// Throws InputError where graphs differ in what features they have.
ColorLevels build_color_levels(Span<const Graph> graphs, pairs::Radius radius,
                               const ColorLevelOptions& options = {});

/// The features of rows of level 0, layout.columns() values each, as pairs::write_features has them. `initial`
/// is that of the levels (ColorLevels or NeighborLevels), `graphs` are those they were built from, `rows` are
/// numbers in `initial`. T is float or double.
template <typename T>
void write_initial_features(Span<const InitialRow> initial, Span<const Graph> graphs,
                            const pairs::FeatureLayout& layout, Span<const Row> rows, T* out);

/// One of pairs::num_row_labels for each row of level 0. Needs layout.has_labels_only().
std::vector<std::uint32_t> initial_labels(Span<const InitialRow> initial, Span<const Graph> graphs,
                                          const pairs::FeatureLayout& layout);

}  // namespace twofold::levels
