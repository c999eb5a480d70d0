#include "twofold/graph/power.h"

#include <algorithm>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/graph/power_counts.h"
#include "twofold/graph/twins.h"

namespace twofold::graph {
namespace {

__extension__ typedef unsigned __int128 Wide;

// `entries` in `arrays` lists.
void require(const Graph& g, PowerRadius radius, std::uint64_t entries, std::uint64_t arrays,
             std::uint64_t max_bytes) {
  if (entries <= max_bytes / (arrays * sizeof(Node))) return;
  const Wide need = Wide{entries} * arrays * sizeof(Node);
  require_memory(fmt::format("the power {} of a graph of {} nodes, of which at least {} pairs were found,",
                             to_string(radius), g.num_nodes(), entries / 2),
                 static_cast<std::uint64_t>(std::min<Wide>(need, kNoLimit)), max_bytes);
}

Balls all_nodes(const Graph& g, std::uint64_t max_bytes) {
  const std::uint64_t n = g.num_nodes();
  require(g, PowerRadius::all(), n * n, 1, max_bytes);
  Balls balls;
  balls.offsets.resize(n + 1);
  balls.nodes.resize(n * n);
  for (std::uint64_t v = 0; v < n; ++v) {
    balls.offsets[v + 1] = (v + 1) * n;
    const auto row = balls.nodes.begin() + static_cast<std::ptrdiff_t>(v * n);
    std::iota(row, row + static_cast<std::ptrdiff_t>(n), Node{0});
  }
  return balls;
}

// Breadth-first search that stops at the radius; one start is searched at most once.
class BallSearch {
 public:
  BallSearch(const Graph& g, PowerRadius radius)
      : g_(g), steps_(radius.steps()), seen_from_(g.num_nodes(), static_cast<Node>(g.num_nodes())) {}

  // Appends the nodes within the radius of `start`, in the order of discovery.
  void append_ball(Node start, std::vector<Node>& found) {
    std::size_t level_begin = found.size();
    found.push_back(start);
    seen_from_[start] = start;
    for (std::uint32_t depth = 0; depth < steps_ && level_begin < found.size(); ++depth) {
      const std::size_t level_end = found.size();
      for (std::size_t at = level_begin; at < level_end; ++at)
        for (const Node u : g_.neighbors(found[at]))
          if (seen_from_[u] != start) {
            seen_from_[u] = start;
            found.push_back(u);
          }
      level_begin = level_end;
    }
  }

 private:
  const Graph& g_;
  std::uint32_t steps_;
  std::vector<Node> seen_from_;
};

// The balls as sets of bits, one row of words per node: common nodes are then counted 64 at a time, which large
// balls need (REDDIT-BINARY, r = 2: 2.9e11 triples).
std::uint64_t count_by_bits(const Balls& balls) {
  const auto n = static_cast<Node>(balls.num_nodes());
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
  return triples;
}

std::uint64_t count_by_marks(const Balls& balls) {
  const auto n = static_cast<Node>(balls.num_nodes());
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
  return triples;
}

// A graph with its twins put together.
struct Collapsed {
  Collapsed(const Graph& g, PowerRadius radius) : twins(find_twins(g)) {
    if (twins.num_classes() < g.num_nodes()) classes = graph_of_classes(g, twins);
    sees_itself.resize(twins.num_classes());
    for (std::size_t c = 0; c < twins.num_classes(); ++c)
      sees_itself[c] =
          radius.is_all() || twins.is_clique[c] || (radius.steps() >= 2 && g.degree(twins.member[c]) > 0);
  }
  bool has_twins() const { return twins.num_classes() < twins.class_of.size(); }
  // Nodes of its own class within the radius of a node, itself included.
  std::uint64_t own(std::uint32_t c) const { return sees_itself[c] ? twins.size[c] : 1; }

  Twins twins;
  Graph classes;                  // if there are twins
  std::vector<bool> sees_itself;  // one per class: whether its nodes are within the radius of each other
};

// As count_by_marks, with a class standing for all its nodes.
Wide count_by_classes(const Collapsed& small, const Balls& balls) {
  const std::vector<std::uint32_t>& size = small.twins.size;
  const auto h = static_cast<std::uint32_t>(balls.num_nodes());
  Wide triples = 0;
  std::vector<std::uint8_t> is_marked(h, 0);
  for (std::uint32_t a = 0; a < h; ++a) {
    std::uint64_t others = 0;
    for (const std::uint32_t c : balls.of(a)) {
      is_marked[c] = 1;
      if (c != a) others += size[c];
    }
    triples += Wide{size[a]} * (others + small.own(a));
    if (small.sees_itself[a]) triples += Wide{size[a]} * (size[a] - 1u) / 2 * (others + size[a]);
    for (const std::uint32_t b : balls.of(a)) {
      if (b == a || balls.size(b) > balls.size(a) || (balls.size(b) == balls.size(a) && b < a)) continue;
      std::uint64_t common = 0;
      for (const std::uint32_t c : balls.of(b))
        if (is_marked[c] != 0 && c != a && c != b) common += size[c];
      triples += Wide{size[a]} * size[b] * (common + small.own(a) + small.own(b));
    }
    for (const std::uint32_t c : balls.of(a)) is_marked[c] = 0;
  }
  return triples;
}

// What count_by_classes, or count_by_marks, looks at.
std::uint64_t marks_to_scan(const Balls& balls) {
  std::uint64_t to_scan = 0;
  for (Node i = 0; i < balls.num_nodes(); ++i)
    for (const Node j : balls.of(i)) to_scan += std::min(balls.size(i), balls.size(j));
  return to_scan;
}

std::uint64_t pairs_of(std::uint64_t n) { return n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n; }

constexpr std::uint64_t kMostBitBytes = std::uint64_t{256} << 20;

}  // namespace

Balls find_balls(const Graph& g, PowerRadius radius, std::uint64_t max_bytes) {
  if (radius.is_all()) return all_nodes(g, max_bytes);
  const auto n = static_cast<Node>(g.num_nodes());
  // Counting is a search of its own: not where all pairs would fit, with room to grow.
  const bool fits_anyway = Wide{n} * n * 3 * sizeof(Node) <= max_bytes;
  std::uint64_t entries = n + 2 * std::uint64_t{g.num_edges()};
  if (!fits_anyway && radius.steps() > 1)
    entries = 2 * count_power_pairs(g, radius, max_bytes / (4 * sizeof(Node)) + n) - n;
  if (!fits_anyway) require(g, radius, entries, 2, max_bytes);
  Balls balls;
  balls.offsets.resize(n + std::size_t{1});

  // Searched in ascending order of the start, each ball in the order of discovery …
  std::vector<Node> found;
  found.reserve(entries);
  BallSearch search(g, radius);
  for (Node start = 0; start < n; ++start) {
    search.append_ball(start, found);
    balls.offsets[start + 1] = found.size();
  }
  if (fits_anyway) require(g, radius, found.size(), 2, max_bytes);

  // … and turned around: distances are symmetric, so writing each start behind the nodes it found gives the
  // same balls again, now ascending.
  balls.nodes.resize(found.size());
  std::vector<std::uint64_t> end(balls.offsets.begin(), balls.offsets.end() - 1);
  for (Node start = 0; start < n; ++start)
    for (std::uint64_t at = balls.offsets[start]; at < balls.offsets[start + 1]; ++at)
      balls.nodes[end[found[at]]++] = start;
  return balls;
}

std::uint64_t count_power_pairs(const Graph& g, PowerRadius radius, std::uint64_t enough) {
  const std::uint64_t n = g.num_nodes();
  if (radius.is_all()) return pairs_of(n);
  if (radius.steps() == 1) return n + g.num_edges();
  const Collapsed small(g, radius);
  const Graph& searched = small.has_twins() ? small.classes : g;
  BallSearch search(searched, radius);
  std::vector<Node> ball;
  std::uint64_t ends = 0;  // both of every pair, one of a loop
  for (std::uint32_t a = 0; a < searched.num_nodes() && (ends + n) / 2 <= enough; ++a) {
    ball.clear();
    search.append_ball(a, ball);
    std::uint64_t nodes = small.own(a);
    for (const std::uint32_t c : ball)
      if (c != a) nodes += small.twins.size[c];
    ends += nodes * small.twins.size[a];
  }
  return (ends + n) / 2;
}

bool is_power_complete(const Graph& g, PowerRadius radius) {
  const std::uint64_t n = g.num_nodes();
  if (radius.is_all()) return true;
  if (radius.steps() == 1) return n + g.num_edges() == pairs_of(n);
  BallSearch first(g, radius);
  std::vector<Node> ball;
  if (n > 0) first.append_ball(0, ball);
  if (ball.size() < n) return false;
  return count_power_pairs(g, radius) == pairs_of(n);
}

std::uint64_t count_power_triples(const Balls& balls) {
  const std::uint64_t n = balls.num_nodes();
  if (balls.nodes.size() == n * n) return balls.num_pairs() * n;
  const std::uint64_t words = balls.nodes.size() * ((n + 63) / 64);
  return words < marks_to_scan(balls) && n * n / 8 < kMostBitBytes ? count_by_bits(balls)
                                                                   : count_by_marks(balls);
}

PowerCounts count_power(const Graph& g, PowerRadius radius, std::uint64_t max_bytes) {
  const std::uint64_t n = g.num_nodes();
  PowerCounts counts;
  counts.pairs = count_power_pairs(g, radius);
  Wide triples = 0;
  if (counts.pairs == pairs_of(n)) {
    triples = Wide{counts.pairs} * n;
  } else {
    const Collapsed small(g, radius);
    const Balls balls = find_balls(small.has_twins() ? small.classes : g, radius, max_bytes);
    // Bits count 64 nodes at a time, but know no sizes of classes: they take the balls of all nodes.
    const std::uint64_t entries = 2 * counts.pairs - n;
    const bool bits_fit = n * n / 8 < kMostBitBytes && entries <= max_bytes / (4 * sizeof(Node));
    if (!small.has_twins())
      triples = count_power_triples(balls);
    else if (bits_fit && entries * ((n + 63) / 64) < marks_to_scan(balls))
      triples = count_power_triples(find_balls(g, radius, max_bytes));
    else
      triples = count_by_classes(small, balls);
  }
  if (triples >> 64 != 0)
    throw Error(fmt::format("{} nodes at radius {} have 2^64 triples or more", n, to_string(radius)));
  counts.triples = static_cast<std::uint64_t>(triples);
  return counts;
}

}  // namespace twofold::graph
