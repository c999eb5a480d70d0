#include "twofold/pairs/pair_counts.h"

#include <algorithm>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/power_counts.h"
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

}  // namespace

PairCounts count_pairs(const Graph& g, Radius radius, std::uint64_t max_memory) {
  const std::size_t n = g.num_nodes();
  if (radius.is_all()) {
    const std::uint64_t rows = checked(Wide{n} * (n + 1) / 2, n, radius);
    return with_memory(n, rows, checked(Wide{rows} * n, n, radius), radius);
  }
  const graph::PowerCounts counts = graph::count_power(g, radius, max_memory);
  return with_memory(n, counts.pairs, counts.triples, radius);
}

PairCounts& PairCounts::operator+=(const PairCounts& more) {
  rows += more.rows;
  triples += more.triples;
  max_rows = std::max(max_rows, more.max_rows);
  max_triples = std::max(max_triples, more.max_triples);
  stored_memory += more.stored_memory;
  implicit_memory += more.implicit_memory;
  return *this;
}

PairCounts count_pairs(Span<const Graph> graphs, Radius radius, int threads) {
  std::vector<PairCounts> counts(graphs.size());
  // As many graphs are counted at a time as there are threads.
  const auto at_once =
      std::min<std::uint64_t>(resolve_threads(threads), std::max<std::size_t>(1, graphs.size()));
  const std::uint64_t share = resolve_memory_limit(0) / at_once;
  parallel_for(graphs.size(), threads,
               [&](std::size_t g) { counts[g] = count_pairs(graphs[g], radius, share); });
  PairCounts sum;
  for (const PairCounts& c : counts) sum += c;
  return sum;
}

}  // namespace twofold::pairs
