#include "twofold/pairs/pair_counts.h"

#include <algorithm>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/pairs/balls.h"
#include "twofold/pairs/pair_set.h"

namespace twofold::pairs {
namespace {

__extension__ typedef unsigned __int128 Wide;

std::uint64_t checked(Wide value, std::size_t n, Radius radius) {
  if (value >> 64 != 0)
    throw Error(fmt::format("{} nodes at radius {} have 2^64 triples or more", n, to_string(radius)));
  return static_cast<std::uint64_t>(value);
}

// The sizes of PairSet's arrays; a test compares them with what an encoding holds.
PairCounts with_memory(std::size_t n, std::uint64_t rows, std::uint64_t triples, Radius radius) {
  const Wide ball_entries = 2 * Wide{rows} - n;
  const Wide implicit = Wide{rows} * (2 * sizeof(Node) + sizeof(RowKind)) + (n + Wide{1}) * sizeof(Row) +
                        (n + Wide{1}) * sizeof(std::uint64_t) + ball_entries * (sizeof(Node) + sizeof(Row));
  const Wide stored = implicit + (Wide{rows} + 1) * sizeof(std::uint64_t) + Wide{triples} * sizeof(RowPair);
  PairCounts counts;
  counts.rows = counts.max_rows = rows;
  counts.triples = counts.max_triples = triples;
  counts.implicit_memory = checked(implicit, n, radius);
  counts.stored_memory = checked(stored, n, radius);
  return counts;
}

// The balls as sets of bits, one row of words a node: common nodes are then counted 64 at a time, which large
// balls need (REDDIT-BINARY, r = 2: 2.9e11 triples).
PairCounts count_by_bits(const Graph& g, const Balls& balls, Radius radius) {
  const auto n = static_cast<Node>(g.num_nodes());
  const std::size_t words = (n + std::size_t{63}) / 64;
  std::vector<std::uint64_t> bits(n * words, 0);
  for (Node v = 0; v < n; ++v)
    for (const Node u : balls.of(v)) bits[v * words + u / 64] |= std::uint64_t{1} << u % 64;
  std::uint64_t triples = 0;
  for (Node i = 0; i < n; ++i)
    for (const Node j : balls.of(i)) {
      if (j < i) continue;
      const std::uint64_t* x = bits.data() + i * words;
      const std::uint64_t* y = bits.data() + j * words;
      for (std::size_t w = 0; w < words; ++w)
        triples += static_cast<std::uint64_t>(__builtin_popcountll(x[w] & y[w]));
    }
  return with_memory(n, (balls.nodes.size() + n) / 2, triples, radius);
}

PairCounts count_by_marks(const Graph& g, const Balls& balls, Radius radius) {
  const auto n = static_cast<Node>(g.num_nodes());
  std::uint64_t triples = 0;
  std::vector<std::uint8_t> is_marked(n, 0);
  for (Node i = 0; i < n; ++i) {
    for (const Node l : balls.of(i)) is_marked[l] = 1;
    // A pair is counted at the end with the larger ball (or name): only the smaller one is scanned.
    for (const Node j : balls.of(i)) {
      if (balls.size(j) > balls.size(i) || (balls.size(j) == balls.size(i) && j < i)) continue;
      for (const Node l : balls.of(j)) triples += is_marked[l];
    }
    for (const Node l : balls.of(i)) is_marked[l] = 0;
  }
  return with_memory(n, (balls.nodes.size() + n) / 2, triples, radius);
}

}  // namespace

PairCounts count_pairs(const Graph& g, Radius radius) {
  const std::size_t n = g.num_nodes();
  if (radius.is_all()) {
    const std::uint64_t rows = checked(Wide{n} * (n + 1) / 2, n, radius);
    return with_memory(n, rows, checked(Wide{rows} * n, n, radius), radius);
  }
  // 4 bytes an entry; beyond the limit of this process, the search itself says so.
  const Balls balls = find_balls(g, radius, ~std::uint64_t{0});
  std::uint64_t to_scan = 0;
  for (Node i = 0; i < n; ++i)
    for (const Node j : balls.of(i)) to_scan += std::min(balls.size(i), balls.size(j));
  const std::uint64_t words = balls.nodes.size() * ((n + 63) / 64);
  constexpr std::uint64_t kMostBitBytes = std::uint64_t{256} << 20;
  if (words < to_scan && n * n / 8 < kMostBitBytes) return count_by_bits(g, balls, radius);
  return count_by_marks(g, balls, radius);
}

PairCounts count_pairs(Span<const Graph> graphs, Radius radius, int threads) {
  std::vector<PairCounts> counts(graphs.size());
  parallel_for(graphs.size(), threads, [&](std::size_t g) { counts[g] = count_pairs(graphs[g], radius); });
  PairCounts sum;
  for (const PairCounts& c : counts) {
    sum.rows += c.rows;
    sum.triples += c.triples;
    sum.max_rows = std::max(sum.max_rows, c.max_rows);
    sum.max_triples = std::max(sum.max_triples, c.max_triples);
    sum.stored_memory += c.stored_memory;
    sum.implicit_memory += c.implicit_memory;
  }
  return sum;
}

}  // namespace twofold::pairs
