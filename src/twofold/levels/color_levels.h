#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/graph/item_targets.h"
#include "twofold/levels/levels.h"
#include "twofold/pairs/pair_features.h"
#include "twofold/pairs/radius.h"

namespace twofold::levels {

/// Level k has the colors that the pairs of the graphs have after k rounds of the 2-WL convolution; items are
/// triples. (graph_items, the triples of a graph, are 0 where T is 0.)
using ColorLevels = Levels<RowPair>;

/// Whether and how real attributes take part in the initial colors: they must agree bit by bit after they were
/// turned into the type that the network computes in.
enum class AttributeUse { kNone, kFloat, kDouble };

struct ColorLevelOptions {
  /// Of the convolution; at least 0.
  int rounds = 3;
  /// As in pairs::feature_layout: without them rows that differ in their kind alone are of one color.
  bool indicators = true;
  AttributeUse attributes = AttributeUse::kFloat;
  /// Also Levels::loop_rows, for what is learnt about nodes. Not kept by level_cache.h.
  bool loop_rows = false;
  /// Also Levels::pair_rows of these pairs, by graph. Not kept either.
  Span<const twofold::Item> pairs = {};
  /// Empty, or of every graph a number per node: a row counts as often as its first node says, in pools and in
  /// nothing else. For parts of a graph that stand for several equal ones.
  Span<const std::vector<std::uint32_t>> node_times = {};

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
/// result, its index (20 bytes per row) and the pairs of a few graphs, never their triples. Cost: T times the
/// triples of the graphs after twins are put together, sorted row by row. No graphs give levels without rows.
/// Throws InputError where graphs differ in what features they have.
ColorLevels build_color_levels(Span<const Graph> graphs, pairs::Radius radius,
                               const ColorLevelOptions& options = {});

/// The same of `num_graphs` graphs that come in blocks. `layout` has the labels and attributes of all of them.
/// What `options` refer to must outlive the builder.
std::unique_ptr<LevelBuilder<RowPair>> color_level_builder(const pairs::FeatureLayout& layout,
                                                           pairs::Radius radius, std::size_t num_graphs,
                                                           const ColorLevelOptions& options = {});

/// The features of all rows of level 0, layout.columns() values each, as pairs::write_features has them.
/// `initial` is that of the levels (ColorLevels or NeighborLevels), `graphs` are those they were built from. T
/// is float or double. Throws InputError as pairs::scaled_attribute.
template <typename T>
void write_initial_features(Span<const InitialRow> initial, Span<const Graph> graphs,
                            const pairs::FeatureLayout& layout, const pairs::FeatureScaling& scaling, T* out);

}  // namespace twofold::levels
