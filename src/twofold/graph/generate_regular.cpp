#include "twofold/graph/generate_regular.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/graph/generate_basic.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

std::uint64_t key(Edge e) { return static_cast<std::uint64_t>(std::min(e.u, e.v)) << 32 | std::max(e.u, e.v); }

Graph from_edges(std::size_t n, const std::vector<Edge>& edges) {
  GraphBuilder builder(n);
  builder.reserve_edges(edges.size());
  for (const Edge e : edges) builder.add_edge(e.u, e.v);
  return std::move(builder).build();
}

// Every node `degree` times, in random order: neighbors in the list are joined (the configuration model).
std::vector<Edge> draw_pairing(std::size_t n, std::size_t degree, Random& random) {
  std::vector<Node> points;
  points.reserve(n * degree);
  for (Node v = 0; v < n; ++v) points.insert(points.end(), degree, v);
  random.shuffle(points);
  std::vector<Edge> edges;
  edges.reserve(points.size() / 2);
  for (std::size_t i = 0; i < points.size(); i += 2) edges.push_back({points[i], points[i + 1]});
  return edges;
}

// Each simple graph comes from equally many pairings, so drawing until one is simple is exactly uniform.
Graph draw_by_rejection(std::size_t n, std::size_t degree, Random& random) {
  std::vector<std::uint64_t> keys;
  for (;;) {
    const auto edges = draw_pairing(n, degree, random);
    keys.clear();
    for (const Edge e : edges)
      if (e.u != e.v) keys.push_back(key(e));
    if (keys.size() < edges.size()) continue;
    std::sort(keys.begin(), keys.end());
    if (std::adjacent_find(keys.begin(), keys.end()) == keys.end()) return from_edges(n, edges);
  }
}

// A multigraph's edges, switched while its degrees stay. `present_` holds the edges that count as there: all
// but loops and the second and further copies of an edge, which are the `bad` ones.
class Switcher {
 public:
  explicit Switcher(std::vector<Edge> edges) : edges_(std::move(edges)) {
    present_.reserve(2 * edges_.size());
    for (std::size_t i = 0; i < edges_.size(); ++i)
      if (edges_[i].u == edges_[i].v || !present_.insert(key(edges_[i])).second) bad_.push_back(i);
    is_bad_.resize(edges_.size());
    for (const std::size_t i : bad_) is_bad_[i] = true;
  }

  // Replaces the bad edges one by one. False if luck did not suffice, as tiny dense graphs may have it.
  bool repair(Random& random) {
    for (std::size_t left = 1000 + 100 * edges_.size(); !bad_.empty(); --left) {
      if (left == 0) return false;
      const std::size_t other = random.below(edges_.size());
      // Another bad one is left to its own turn: after it the bookkeeping of copies would be wrong.
      if (is_bad_[other] || !exchange(bad_.back(), other, random.chance(0.5), true)) continue;
      is_bad_[bad_.back()] = false;
      bad_.pop_back();
    }
    return true;
  }

  // One step of the switch chain; most proposals of a sparse graph are accepted.
  void mix(Random& random) {
    const std::size_t i = random.below(edges_.size());
    const std::size_t j = random.below(edges_.size());
    const bool turned = random.chance(0.5);
    if (i != j) exchange(i, j, turned, false);
  }

  const std::vector<Edge>& edges() const { return edges_; }

 private:
  // ab and cd become ac and bd, or ad and bc if `turned`, provided both are new and no loops.
  bool exchange(std::size_t i, std::size_t j, bool turned, bool i_is_bad) {
    const Edge ab = edges_[i];
    const Edge cd = turned ? Edge{edges_[j].v, edges_[j].u} : edges_[j];
    const Edge ac = {ab.u, cd.u};
    const Edge bd = {ab.v, cd.v};
    if (ac.u == ac.v || bd.u == bd.v || key(ac) == key(bd)) return false;
    if (present_.count(key(ac)) > 0 || present_.count(key(bd)) > 0) return false;
    if (!i_is_bad) present_.erase(key(ab));
    present_.erase(key(cd));
    present_.insert(key(ac));
    present_.insert(key(bd));
    edges_[i] = ac;
    edges_[j] = bd;
    return true;
  }

  std::vector<Edge> edges_;
  std::unordered_set<std::uint64_t> present_;
  std::vector<std::size_t> bad_;
  std::vector<bool> is_bad_;
};

Graph draw_by_switching(std::size_t n, std::size_t degree, Random& random) {
  for (;;) {
    Switcher switcher(draw_pairing(n, degree, random));
    if (!switcher.repair(random)) continue;
    for (std::size_t step = 0; step < 10 * switcher.edges().size(); ++step) switcher.mix(random);
    return from_edges(n, switcher.edges());
  }
}

}  // namespace

Graph random_regular_graph(std::size_t n, std::size_t degree, Random& random) {
  if (degree > 0 && degree >= n)
    throw UsageError(
        fmt::format("a regular graph of degree {} needs at least {} nodes, found {}", degree, degree + 1, n));
  if (n % 2 == 1 && degree % 2 == 1)
    throw UsageError(
        fmt::format("a regular graph needs an even product of nodes and degree, found {} x {}", n, degree));
  constexpr std::size_t kRejectUpTo = 3;
  if (n > 0 && 2 * degree > n - 1) return complement(random_regular_graph(n, n - 1 - degree, random));
  return degree <= kRejectUpTo ? draw_by_rejection(n, degree, random) : draw_by_switching(n, degree, random);
}

Dataset generate_regular(const RegularOptions& options, std::uint64_t seed) {
  const bool can_be_connected = options.degree >= 2 || options.n <= options.degree + 1;
  if (options.connected && !can_be_connected)
    throw UsageError(fmt::format("a connected regular graph of {} nodes needs a degree of at least 2, found {}",
                                 options.n, options.degree));
  Dataset dataset;
  dataset.name = "regular";
  for (std::size_t i = 0; i < options.num_graphs; ++i) {
    Random random = Random(seed).stream(i);
    Graph g = random_regular_graph(options.n, options.degree, random);
    while (options.connected && !is_connected(g)) g = random_regular_graph(options.n, options.degree, random);
    dataset.graphs.push_back(std::move(g));
  }
  return dataset;
}

}  // namespace twofold::graph
