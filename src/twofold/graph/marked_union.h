#pragma once

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

/// One graph that holds `g` once for each node of `marked`, with that node marked: node u of the i-th copy is
/// i n + u. Without a list: once for each of its nodes, in their order.
///
/// A node's label is 2 i + 1 if it is marked, else 2 i, where i is the place of its own label in `labels`
/// (ascending; 0 where `labels` is empty). Attributes, edge labels and self-loops are kept. A network that sums
/// or averages over the rows of this graph sums or averages over the marks. O(copies (n + m)).
/// Needs every label of g in `labels`, or none there.
Graph marked_union(const Graph& g, Span<const Label> labels, Span<const Node> marked);
Graph marked_union(const Graph& g, Span<const Label> labels);

}  // namespace twofold::graph
