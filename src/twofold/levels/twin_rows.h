#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/power.h"
#include "twofold/graph/twins.h"
#include "twofold/levels/initial_colors.h"

namespace twofold::levels {

using graph::Twins;

/// The pairs of one graph within a radius, those that twins make alike kept once: a row {A,B} for each two
/// classes within the radius, the loop {A,A} of each class, and the row of two different twins of A, the inner
/// row. Which twin stands for a class does not matter, and exchanging twins is a symmetry, so this loses
/// nothing.
struct TwinRows {
  Twins twins;
  // Of the graph of one node per class; distances in it are those in the whole.
  graph::Balls balls;
  // Parallel to balls.nodes: the row. Loops are rows 0…classes-1, then pairs A < B by (A, B), then inner rows.
  std::vector<Row> ball_rows;
  // One a row: its classes, and its initial color.
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;
  std::vector<Row> color;
  // One a class: its inner row, or kNoRow.
  std::vector<Row> inner;
  // Rows that are neither loop nor edge; color is kNoRow there until set_indirect. 0: none.
  std::size_t num_indirect = 0;
  // Whether some class has two nodes, and the largest class.
  bool has_twins = false;
  std::uint32_t largest = 1;

  std::size_t num_rows() const { return first.size(); }
  /// How many pairs of nodes a row stands for.
  std::uint64_t count(Row row) const;
  /// Nodes of the first indirect row. Needs num_indirect > 0.
  Edge indirect_pair() const;
  void set_indirect(Row color);
  std::uint64_t memory() const;
};

/// O(balls) besides the search for twins. Throws Error if the balls would need more than max_bytes. Nodes of
/// different `node_times` (empty, or a number per node) are no twins.
TwinRows make_twin_rows(const Graph& g, const InitialColors& colors, pairs::Radius radius, bool collapse,
                        std::uint64_t max_bytes, Span<const std::uint32_t> node_times = {});

}  // namespace twofold::levels
