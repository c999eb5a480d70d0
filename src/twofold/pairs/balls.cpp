#include "twofold/pairs/balls.h"

#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"

namespace twofold::pairs {
namespace {

void require(const Graph& g, Radius radius, std::uint64_t entries, std::uint64_t max_bytes) {
  if (entries <= max_bytes / sizeof(Node)) return;
  require_memory(fmt::format("the power {} of a graph of {} nodes, of which at least {} pairs were found,",
                             to_string(radius), g.num_nodes(), entries / 2),
                 entries * sizeof(Node), max_bytes);
}

Balls all_nodes(const Graph& g, std::uint64_t max_bytes) {
  const std::uint64_t n = g.num_nodes();
  require(g, Radius::all(), n * n, max_bytes);
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

}  // namespace

Balls find_balls(const Graph& g, Radius radius, std::uint64_t max_bytes) {
  if (radius.is_all()) return all_nodes(g, max_bytes);
  const auto n = static_cast<Node>(g.num_nodes());
  Balls balls;
  balls.offsets.resize(n + std::size_t{1});

  // Searched in ascending order of the start, each ball in the order of discovery …
  std::vector<Node> found;
  found.reserve(g.num_nodes() + 2 * g.num_edges());
  std::vector<Node> seen_from(n, n);
  for (Node start = 0; start < n; ++start) {
    const std::size_t begin = found.size();
    found.push_back(start);
    seen_from[start] = start;
    std::size_t level_begin = begin;
    for (std::uint32_t depth = 0; depth < radius.steps() && level_begin < found.size(); ++depth) {
      const std::size_t level_end = found.size();
      for (std::size_t at = level_begin; at < level_end; ++at)
        for (const Node u : g.neighbors(found[at]))
          if (seen_from[u] != start) {
            seen_from[u] = start;
            found.push_back(u);
          }
      level_begin = level_end;
    }
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

}  // namespace twofold::pairs
