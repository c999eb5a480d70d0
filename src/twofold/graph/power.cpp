#include "twofold/graph/power.h"

#include <algorithm>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"

namespace twofold::graph {
namespace {

void require(const Graph& g, PowerRadius radius, std::uint64_t entries, std::uint64_t max_bytes) {
  if (entries <= max_bytes / sizeof(Node)) return;
  require_memory(fmt::format("the power {} of a graph of {} nodes, of which at least {} pairs were found,",
                             to_string(radius), g.num_nodes(), entries / 2),
                 entries * sizeof(Node), max_bytes);
}

Balls all_nodes(const Graph& g, std::uint64_t max_bytes) {
  const std::uint64_t n = g.num_nodes();
  require(g, PowerRadius::all(), n * n, max_bytes);
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

// The balls as sets of bits, one row of words a node: common nodes are then counted 64 at a time, which large
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

}  // namespace

Balls find_balls(const Graph& g, PowerRadius radius, std::uint64_t max_bytes) {
  if (radius.is_all()) return all_nodes(g, max_bytes);
  const auto n = static_cast<Node>(g.num_nodes());
  Balls balls;
  balls.offsets.resize(n + std::size_t{1});

  // Searched in ascending order of the start, each ball in the order of discovery …
  std::vector<Node> found;
  found.reserve(g.num_nodes() + 2 * g.num_edges());
  BallSearch search(g, radius);
  for (Node start = 0; start < n; ++start) {
    search.append_ball(start, found);
    balls.offsets[start + 1] = found.size();
    require(g, radius, found.size(), max_bytes);
  }

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
  if (radius.is_all()) return n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n;
  BallSearch search(g, radius);
  std::vector<Node> ball;
  std::uint64_t ends = 0;  // both of every pair, one of a loop
  for (Node v = 0; v < n && (ends + n) / 2 <= enough; ++v) {
    ball.clear();
    search.append_ball(v, ball);
    ends += ball.size();
  }
  return (ends + n) / 2;
}

bool is_power_complete(const Graph& g, PowerRadius radius) {
  if (radius.is_all()) return true;
  BallSearch search(g, radius);
  std::vector<Node> ball;
  for (Node v = 0; v < g.num_nodes(); ++v) {
    ball.clear();
    search.append_ball(v, ball);
    if (ball.size() < g.num_nodes()) return false;
  }
  return true;
}

std::uint64_t count_power_triples(const Balls& balls) {
  const std::uint64_t n = balls.num_nodes();
  if (balls.nodes.size() == n * n) return balls.num_pairs() * n;
  std::uint64_t to_scan = 0;
  for (Node i = 0; i < n; ++i)
    for (const Node j : balls.of(i)) to_scan += std::min(balls.size(i), balls.size(j));
  const std::uint64_t words = balls.nodes.size() * ((n + 63) / 64);
  constexpr std::uint64_t kMostBitBytes = std::uint64_t{256} << 20;
  return words < to_scan && n * n / 8 < kMostBitBytes ? count_by_bits(balls) : count_by_marks(balls);
}

}  // namespace twofold::graph
