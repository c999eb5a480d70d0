#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/graph/power.h"
#include "twofold/pairs/radius.h"

namespace twofold::pairs {

/// A row's number within its graph. A graph of more rows is refused with an Error (its features alone, 32
/// floats per row, would take 512 GB). Whatever counts triples or the rows of a batch, offsets too, is 64-bit.
using Row = std::uint32_t;

/// Two rows of one graph: of a triple, those of {i,l} and of {l,j}.
struct RowPair {
  Row a;
  Row b;
};
inline bool operator==(RowPair x, RowPair y) { return x.a == y.a && x.b == y.b; }

enum class RowKind : std::uint8_t { kLoop, kEdge, kIndirect };

/// The pairs of one graph's nodes within a radius, and which of them meet: what the 2-WL convolution runs on.
///
/// There is a row for every unordered pair {i,j} within the radius, loops {i,i} included: first the n loops by
/// node, then the pairs i < j by (i, j). Row {i,j} has a triple for every node l within the radius of both, i
/// and j included: the pair of rows ({i,l}, {l,j}). Its triples come in the order l = i, l = j, then ascending
/// (as in Appendix A of the paper). Reading from several threads is safe.
struct PairSet {
  Radius radius = Radius::all();
  // One a row: the smaller and the larger end, and what the pair is in the graph.
  std::vector<Node> first;
  std::vector<Node> second;
  std::vector<RowKind> kind;
  // n + 1 ascending row numbers from n on: the rows {i,j}, i < j, are those from upper_rows[i] to
  // upper_rows[i+1].
  std::vector<Row> upper_rows = {0};
  // The neighbor lists of the power.
  graph::Balls balls;
  // Parallel to balls.nodes: the row of {v, node}.
  std::vector<Row> ball_rows;
  // Number of triples, stored or not.
  std::uint64_t num_triples = 0;
  // Either both empty (triples are then found by intersecting balls), or p + 1 ascending positions in `triples`
  // and num_triples pairs: those of row f at triple_offsets[f]…triple_offsets[f+1].
  std::vector<std::uint64_t> triple_offsets;
  std::vector<RowPair> triples;

  std::size_t num_nodes() const { return upper_rows.size() - 1; }
  std::size_t num_rows() const { return first.size(); }
  bool has_stored_triples() const { return !triple_offsets.empty(); }
  /// Every pair of nodes has a row.
  bool is_complete() const { return balls.nodes.size() == num_nodes() * num_nodes(); }
  /// The row of {u,v}, or kNoRow. O(log of the ball of u).
  Row find_row(Node u, Node v) const;
  /// Bytes that the arrays hold.
  std::uint64_t memory() const;
  /// Throws CheckError unless every sentence above holds. O(t log p).
  void check() const;
};

constexpr Row kNoRow = std::numeric_limits<Row>::max();

struct EncodeOptions {
  /// Keep the triples (8 bytes each). Without them the same triples are found again in every pass.
  bool store_triples = true;
  /// Error if the result would need more bytes; 0: nine tenths of what the process may have.
  std::uint64_t max_memory = 0;
  /// For several graphs; 0: all there are. Changes no result.
  int threads = 0;
  /// Told of graphs.
  Progress progress = {};
};

/// The pairs of one graph. O(balls + sum over rows of the smaller of the two balls).
/// The empty graph has no rows. Throws Error, naming need and limit, for 2^32-1 rows or more and for too much
/// memory; nothing that large is allocated before.
PairSet encode_pairs(const Graph& g, Radius radius, const EncodeOptions& options = {});

/// Of each graph, with the memory limit for all together. The same for any number of threads.
std::vector<PairSet> encode_pairs(Span<const Graph> graphs, Radius radius, const EncodeOptions& options = {});

}  // namespace twofold::pairs
