#pragma once

#include <cstdint>
#include <vector>

#include "twofold/levels/class_index.h"
#include "twofold/levels/color_levels.h"
#include "twofold/levels/growing_array.h"

namespace twofold::levels {

/// The initial colors of one graph.
struct InitialColors {
  // One a node: of its loop.
  std::vector<Row> loops;
  // One an edge by its number; or one for all edges, where edges carry no data.
  std::vector<Row> edges;

  Row edge(std::size_t number) const { return edges.size() == 1 ? edges[0] : edges[number]; }
  bool has_edge_data() const { return edges.size() > 1; }
};

/// Numbers the different initial features of pairs by first sight, exactly.
class InitialTable {
 public:
  /// Of attributes only as many as the layout has columns for are looked at.
  InitialTable(const pairs::FeatureLayout& layout, AttributeUse attributes);

  /// Of the loops and edges of graph number `graph`. Throws InputError for a label the layout lacks.
  void number(const Graph& g, std::uint32_t graph, InitialColors& colors);
  /// Of the nodes alone, as their loops; degrees (one per node) join their colors if there are any.
  void number_nodes(const Graph& g, std::uint32_t graph, Span<const std::uint64_t> degrees,
                    std::vector<Row>& colors);
  /// Of pairs that are neither; {u,v} is one of them.
  Row number_indirect(std::uint32_t graph, Node u, Node v);

  const GrowingArray<InitialRow>& rows() const { return rows_; }
  GrowingArray<InitialRow> take_rows() { return std::move(rows_); }
  std::uint64_t bytes() const { return index_.bytes() + rows_.bytes() + keys_.bytes(); }

 private:
  void begin_key(pairs::RowKind kind);
  void put_attributes(std::size_t at, Span<const double> values);
  Row number_key(const InitialRow& row);

  pairs::FeatureLayout layout_;
  AttributeUse attributes_;
  ClassIndex index_;
  GrowingArray<InitialRow> rows_;
  // One key of key_.size() words per row: kind, node label and attributes, edge label and attributes; 0 stands
  // for what a pair does not have, as in its features.
  GrowingArray<std::uint64_t> keys_;
  std::vector<std::uint64_t> key_;
};

}  // namespace twofold::levels
