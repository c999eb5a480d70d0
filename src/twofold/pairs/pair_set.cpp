#include "twofold/pairs/pair_set.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/pairs/pair_counts.h"
#include "twofold/pairs/triple_scan.h"

namespace twofold::pairs {
namespace {

template <typename T>
std::uint64_t bytes(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

void require_countable(std::uint64_t n, std::uint64_t p, Radius radius) {
  if (p >= kNoRow)
    throw Error(fmt::format("the pairs of one graph need fewer than {} rows, {} nodes at radius {} have {}",
                            kNoRow, n, to_string(radius), p));
}

// Rows, their ends and kinds, and the rows of every ball entry.
void number_rows(const Graph& g, PairSet& set) {
  const auto n = static_cast<Node>(g.num_nodes());
  const std::uint64_t p = set.balls.num_pairs();
  require_countable(n, p, set.radius);
  set.first.resize(p);
  set.second.resize(p);
  set.kind.assign(p, RowKind::kIndirect);
  set.upper_rows.resize(n + std::size_t{1});
  set.ball_rows.resize(set.balls.nodes.size());

  // Balls are ascending and their starts are visited in that order, so the row of {i,j} is also the next one
  // that the ball of j lacks.
  std::vector<std::uint64_t> next(set.balls.offsets.begin(), set.balls.offsets.end() - 1);
  Row row = n;
  for (Node i = 0; i < n; ++i) {
    set.first[i] = set.second[i] = i;
    set.kind[i] = RowKind::kLoop;
    set.ball_rows[next[i]++] = i;
    set.upper_rows[i] = row;
    const Span<const Node> neighbors = g.neighbors(i);
    const Node* neighbor = std::upper_bound(neighbors.begin(), neighbors.end(), i);
    for (std::uint64_t at = next[i]; at < set.balls.offsets[i + 1]; ++at, ++row) {
      const Node j = set.balls.nodes[at];
      set.first[row] = i;
      set.second[row] = j;
      set.ball_rows[at] = row;
      set.ball_rows[next[j]++] = row;
      if (neighbor != neighbors.end() && *neighbor == j) {
        set.kind[row] = RowKind::kEdge;
        ++neighbor;
      }
    }
  }
  set.upper_rows[n] = row;
}

// Visits all triples; keeps them if asked to. Rows are visited node by node, but loops are numbered first, so
// pairs and loops are collected apart.
void find_triples(PairSet& set, bool store, std::uint64_t max_bytes) {
  const auto n = static_cast<Node>(set.num_nodes());
  thread_local TripleScan scan;
  scan.begin(set);
  const std::uint64_t loop_triples = set.balls.nodes.size();
  if (!store) {
    if (set.is_complete()) {
      set.num_triples = set.num_rows() * n;
      return;
    }
    std::uint64_t count = 0;
    for (Node i = 0; i < n; ++i)
      scan.rows_of(i, [&](Row, Span<const RowPair> triples) { count += triples.size(); });
    set.num_triples = count;
    return;
  }
  std::vector<std::uint64_t> offsets(set.num_rows() + 1, 0);
  std::uint64_t loops_end = 0;
  std::uint64_t end = loop_triples;
  // Triples can be a hundred times as many as ball entries. Where that is much memory they are counted first
  // and stored in place: a list that grows is copied, and then copied to where it stays.
  constexpr std::size_t kLarge = 1 << 14;
  const bool is_large = set.balls.nodes.size() > kLarge;
  thread_local std::vector<RowPair> buffer;
  std::vector<RowPair>& into = is_large ? set.triples : buffer;
  if (is_large) {
    const std::uint64_t triples = graph::count_power_triples(set.balls);
    require_memory(fmt::format("storing the {} triples of a graph of {} nodes at radius {}", triples, n,
                               to_string(set.radius)),
                   triples * sizeof(RowPair), max_bytes);
    end = triples;
  }
  into.resize(end);
  end = loop_triples;
  for (Node i = 0; i < n; ++i)
    scan.rows_of(i, [&](Row row, Span<const RowPair> triples) {
      std::uint64_t& at = row < n ? loops_end : end;
      if (at + triples.size() > into.size())
        into.resize(std::max<std::size_t>(2 * into.size(), at + triples.size()));
      std::copy(triples.begin(), triples.end(), into.begin() + static_cast<std::ptrdiff_t>(at));
      at += triples.size();
      offsets[row + 1] = at;
    });
  set.num_triples = end;
  if (!is_large) set.triples.assign(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(end));
  set.triple_offsets = std::move(offsets);
  // A buffer that one larger graph blew up is not kept for the rest of the program's life.
  if (bytes(buffer) > (std::uint64_t{64} << 20)) std::vector<RowPair>().swap(buffer);
}

PairSet encode_within(const Graph& g, Radius radius, bool store_triples, std::uint64_t max_bytes) {
  PairSet set;
  set.radius = radius;
  const std::uint64_t n = g.num_nodes();
  if (radius.is_all()) require_countable(n, n * (n + 1) / 2, radius);
  set.balls = graph::find_balls(g, radius, max_bytes);
  number_rows(g, set);
  find_triples(set, store_triples, max_bytes);
  return set;
}

}  // namespace

Row PairSet::find_row(Node u, Node v) const {
  const auto ball = balls.of(u);
  const Node* at = std::lower_bound(ball.begin(), ball.end(), v);
  if (at == ball.end() || *at != v) return kNoRow;
  return ball_rows[balls.offsets[u] + static_cast<std::uint64_t>(at - ball.begin())];
}

std::uint64_t PairSet::memory() const {
  return bytes(first) + bytes(second) + bytes(kind) + bytes(upper_rows) + bytes(balls.offsets) +
         bytes(balls.nodes) + bytes(ball_rows) + bytes(triple_offsets) + bytes(triples);
}

void PairSet::check() const {
  const std::size_t n = num_nodes();
  const std::size_t p = num_rows();
  TWOFOLD_CHECK(second.size() == p && kind.size() == p);
  TWOFOLD_CHECK(upper_rows.front() == n && upper_rows.back() == p);
  TWOFOLD_CHECK(balls.num_nodes() == n && balls.offsets.front() == 0 &&
                balls.offsets.back() == balls.nodes.size());
  TWOFOLD_CHECK(ball_rows.size() == balls.nodes.size() && balls.nodes.size() == 2 * p - n);
  for (std::size_t i = 0; i < n; ++i) {
    TWOFOLD_CHECK(first[i] == i && second[i] == i && kind[i] == RowKind::kLoop, "row {}", i);
    TWOFOLD_CHECK(upper_rows[i] <= upper_rows[i + 1], "node {}", i);
    for (Row row = upper_rows[i]; row < upper_rows[i + 1]; ++row) {
      TWOFOLD_CHECK(first[row] == i && second[row] > i && second[row] < n, "row {}", row);
      TWOFOLD_CHECK(row == upper_rows[i] || second[row - 1] < second[row], "row {}", row);
      TWOFOLD_CHECK(kind[row] != RowKind::kLoop, "row {}", row);
    }
    const auto ball = balls.of(static_cast<Node>(i));
    for (std::size_t k = 0; k < ball.size(); ++k) {
      TWOFOLD_CHECK(k == 0 || ball[k - 1] < ball[k], "ball of {}", i);
      const Row row = ball_rows[balls.offsets[i] + k];
      TWOFOLD_CHECK(row < p && first[row] == std::min<Node>(static_cast<Node>(i), ball[k]) &&
                        second[row] == std::max<Node>(static_cast<Node>(i), ball[k]),
                    "ball of {}", i);
    }
    TWOFOLD_CHECK(std::binary_search(ball.begin(), ball.end(), static_cast<Node>(i)), "ball of {}", i);
  }
  if (!has_stored_triples()) {
    TWOFOLD_CHECK(triples.empty());
    return;
  }
  TWOFOLD_CHECK(triple_offsets.size() == p + 1 && triple_offsets.front() == 0 &&
                triple_offsets.back() == num_triples && triples.size() == num_triples);
  for (std::size_t f = 0; f < p; ++f) {
    TWOFOLD_CHECK(triple_offsets[f] < triple_offsets[f + 1], "row {}", f);
    for (std::uint64_t k = triple_offsets[f]; k < triple_offsets[f + 1]; ++k) {
      const RowPair triple = triples[k];
      TWOFOLD_CHECK(triple.a < p && triple.b < p, "row {}", f);
      const Node l = first[triple.a] == first[f] ? second[triple.a] : first[triple.a];
      TWOFOLD_CHECK(triple.a == find_row(first[f], l) && triple.b == find_row(l, second[f]), "row {}", f);
    }
  }
}

PairSet encode_pairs(const Graph& g, Radius radius, const EncodeOptions& options) {
  EncodeOptions one = options;
  one.threads = 1;
  return std::move(encode_pairs(Span<const Graph>(&g, 1), radius, one).front());
}

std::vector<PairSet> encode_pairs(Span<const Graph> graphs, Radius radius, const EncodeOptions& options) {
  const std::uint64_t limit = resolve_memory_limit(options.max_memory);
  std::vector<PairSet> sets(graphs.size());
  std::atomic<std::uint64_t> used{0};
  std::atomic<bool> over{false};
  std::mutex telling;
  std::uint64_t done = 0;
  parallel_for(graphs.size(), options.threads, [&](std::size_t g) {
    if (over.load(std::memory_order_relaxed)) return;
    // Checked against what the others have left, so the whole never outgrows the limit by more than one graph.
    const std::uint64_t left = limit - std::min(limit, used.load());
    try {
      sets[g] = encode_within(graphs[g], radius, options.store_triples, left);
    } catch (const Error&) {
      if (graphs.size() == 1) throw;
      over = true;
      return;
    }
    if (used.fetch_add(sets[g].memory()) + sets[g].memory() > limit) over = true;
    if (!options.progress) return;
    const std::lock_guard lock(telling);
    options.progress(++done, graphs.size());
  });
  if (over) {
    sets.clear();
    const PairCounts counts = count_pairs(graphs, radius, options.threads);
    require_memory(
        fmt::format("encoding {} graphs at radius {} ({} rows, {} triples{})", graphs.size(), to_string(radius),
                    counts.rows, counts.triples, options.store_triples ? "" : ", not stored"),
        options.store_triples ? counts.stored_memory : counts.implicit_memory, limit);
    throw Error(
        fmt::format("encoding {} graphs at radius {} fails at its largest graph of {} rows: fewer than {} "
                    "are needed",
                    graphs.size(), to_string(radius), counts.max_rows, kNoRow));
  }
  return sets;
}

}  // namespace twofold::pairs
