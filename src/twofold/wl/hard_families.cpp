#include "twofold/wl/hard_families.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/generate.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/symmetry.h"

namespace twofold::wl {
namespace {

constexpr std::size_t kMostPairNodes = 198;

// Where nauty gives up early, a strong test must show that the pair is not isomorphic. Of Cai, Fürer and
// Immerman's pairs it is a theorem.
enum class Proof { kNauty, kTest, kTheorem };

bool is_hard_pair(const Graph& a, const Graph& b, Proof proof) {
  if (a.num_nodes() != b.num_nodes() || distinguishes(WlTest{}, a, b)) return false;
  switch (proof) {
    case Proof::kNauty:
      return !find_isomorphism(a, b, true);
    case Proof::kTest:
      return distinguishes({Kind::kTuples, 2, 1, 1}, a, b);
    case Proof::kTheorem:
      return true;
  }
  return false;
}

// Draws until a family has that many pairs that 1-wl does not tell apart and that are not isomorphic.
template <typename Draw>
void draw_pairs(LadderFamily& family, std::size_t count, Random& random, Proof proof, Draw draw) {
  while (family.num_pairs() < count) {
    std::array<Graph, 2> pair = draw(random);
    if (!is_hard_pair(pair[0], pair[1], proof)) continue;
    for (Graph& graph : pair) family.graphs.push_back(std::move(graph));
  }
}

// Every node of cell i has degrees[i][j] neighbors in cell j: nothing more that 1-wl could see. No graph (of no
// nodes) where chance does not find one.
Graph equitable_graph(const std::vector<std::size_t>& sizes,
                      const std::vector<std::vector<std::size_t>>& degrees, Random& random) {
  std::vector<Node> start = {0};
  for (const std::size_t size : sizes) start.push_back(start.back() + static_cast<Node>(size));
  for (int attempt = 0; attempt < 100; ++attempt) {
    GraphBuilder builder(start.back());
    std::vector<std::vector<char>> joined(start.back(), std::vector<char>(start.back(), 0));
    bool is_simple = true;
    for (std::size_t i = 0; i < sizes.size() && is_simple; ++i)
      for (std::size_t j = i; j < sizes.size() && is_simple; ++j) {
        std::vector<Node> left;
        std::vector<Node> right;
        for (std::size_t v = 0; v < sizes[i]; ++v)
          left.insert(left.end(), degrees[i][j], start[i] + static_cast<Node>(v));
        if (i == j) {
          random.shuffle(left);
          right.assign(left.begin() + static_cast<std::ptrdiff_t>(left.size() / 2), left.end());
          left.resize(left.size() / 2);
        } else {
          for (std::size_t v = 0; v < sizes[j]; ++v)
            right.insert(right.end(), degrees[j][i], start[j] + static_cast<Node>(v));
          random.shuffle(right);
        }
        for (std::size_t e = 0; e < left.size() && is_simple; ++e) {
          is_simple = left[e] != right[e] && !joined[left[e]][right[e]];
          joined[left[e]][right[e]] = joined[right[e]][left[e]] = 1;
          if (is_simple) builder.add_edge(left[e], right[e]);
        }
      }
    if (is_simple) return std::move(builder).build();
  }
  return {};
}

std::array<Graph, 2> basic_pair(Random& random) {
  std::vector<std::size_t> sizes = {2 + 2 * random.below(3)};
  sizes.push_back(10 - sizes[0]);
  if (sizes[1] >= 6 && random.chance(0.5)) sizes = {sizes[0], sizes[1] - 4, 4};
  std::vector<std::vector<std::size_t>> degrees(sizes.size(), std::vector<std::size_t>(sizes.size(), 0));
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::size_t j = i; j < sizes.size(); ++j) {
      if (i == j) {
        degrees[i][i] = random.below(std::min<std::size_t>(4, sizes[i]));  // sizes are even
        continue;
      }
      const std::size_t step = sizes[i] * sizes[j] / std::gcd(sizes[i], sizes[j]);
      const std::size_t edges = step * random.below(std::min<std::size_t>(3, sizes[i] * sizes[j] / step + 1));
      degrees[i][j] = edges / sizes[i];
      degrees[j][i] = edges / sizes[j];
    }
  Graph first = equitable_graph(sizes, degrees, random);
  return {std::move(first), equitable_graph(sizes, degrees, random)};
}

std::array<Graph, 2> regular_pair(Random& random) {
  const std::size_t n = 8 + 2 * random.below(5);
  const std::size_t degree = 3 + random.below(3);
  Graph first = graph::random_regular_graph(n, degree, random);
  return {std::move(first), graph::random_regular_graph(n, degree, random)};
}

// Two nodes for every node; the two of an edge's ends are joined straight or crosswise.
Graph double_cover(const Graph& base, Random& random) {
  GraphBuilder builder(2 * base.num_nodes());
  for (const Edge e : base.edges()) {
    const Node twist = random.chance(0.5) ? 1 : 0;
    builder.add_edge(2 * e.u, 2 * e.v + twist);
    builder.add_edge(2 * e.u + 1, 2 * e.v + 1 - twist);
  }
  return std::move(builder).build();
}

std::array<Graph, 2> covered_pair(Random& random) {
  const auto n = static_cast<Node>(7 + random.below(4));
  GraphBuilder builder(n);
  for (Node v = 1; v < n; ++v)
    for (Node u = 0; u < v; ++u)
      if (u == v - 1 || random.chance(0.35)) builder.add_edge(u, v);
  const Graph base = std::move(builder).build();
  Graph first = double_cover(base, random);
  return {std::move(first), double_cover(base, random)};
}

// Row by row: a row's values are put by chance where they may stand, anew where they cannot.
std::vector<std::size_t> random_latin_square(std::size_t order, Random& random) {
  std::vector<std::size_t> cells;
  while (cells.size() < order * order) {
    std::vector<std::size_t> row(order);
    std::iota(row.begin(), row.end(), std::size_t{0});
    bool fits = false;
    for (int attempt = 0; attempt < 2000 && !fits; ++attempt) {
      random.shuffle(row);
      fits = true;
      for (std::size_t at = 0; at < cells.size() && fits; ++at) fits = cells[at] != row[at % order];
    }
    if (fits)
      cells.insert(cells.end(), row.begin(), row.end());
    else
      cells.clear();
  }
  return cells;
}

std::array<Graph, 2> latin_pair(std::size_t order, Random& random) {
  Graph first = graph::latin_square_graph(order, random_latin_square(order, random));
  return {std::move(first), graph::latin_square_graph(order, random_latin_square(order, random))};
}

Graph bipartite_double(const Graph& graph) {
  const auto n = static_cast<Node>(graph.num_nodes());
  GraphBuilder builder(2 * graph.num_nodes());
  for (const Edge e : graph.edges()) {
    builder.add_edge(e.u, n + e.v);
    builder.add_edge(e.v, n + e.u);
  }
  return std::move(builder).build();
}

// The points of PG(dimension, q), q a prime, with quadric(x) = 0; two are adjacent iff form(x, y) = 0.
template <typename Quadric, typename Form>
Graph polar_graph(std::size_t dimension, int q, Quadric quadric, Form form) {
  std::vector<std::vector<int>> points;
  std::vector<int> x(dimension + 1, 0);
  const auto is_normal = [&] {
    const auto first = std::find_if(x.begin(), x.end(), [](int value) { return value != 0; });
    return first != x.end() && *first == 1;
  };
  for (bool more = true; more;) {
    if (is_normal() && quadric(x) % q == 0) points.push_back(x);
    std::size_t at = 0;
    while (at <= dimension && ++x[at] == q) x[at++] = 0;
    more = at <= dimension;
  }
  GraphBuilder builder(points.size());
  for (Node v = 0; v < points.size(); ++v)
    for (Node u = 0; u < v; ++u)
      if (form(points[u], points[v]) % q == 0) builder.add_edge(u, v);
  return std::move(builder).build();
}

LadderFamily generalized_quadrangles() {
  using Point = std::vector<int>;
  LadderFamily family{"4-vertex", {}};
  for (const int q : {3, 5}) {
    family.graphs.push_back(polar_graph(
        3, q, [](const Point&) { return 0; },
        [](const Point& x, const Point& y) { return x[0] * y[1] - x[1] * y[0] + x[2] * y[3] - x[3] * y[2]; }));
    family.graphs.push_back(polar_graph(
        4, q, [](const Point& x) { return x[0] * x[1] + x[2] * x[3] + x[4] * x[4]; },
        [](const Point& x, const Point& y) {
          return x[0] * y[1] + x[1] * y[0] + x[2] * y[3] + x[3] * y[2] + 2 * x[4] * y[4];
        }));
  }
  return family;
}

// A complete graph of width + 1 nodes, and further nodes each joined to two or more of `width` nodes that were
// joined to each other or to one node before: of that treewidth.
Graph random_base(std::size_t width, std::size_t n, Random& random) {
  GraphBuilder builder(n);
  std::vector<std::vector<Node>> bags;
  std::vector<Node> first(width + 1);
  std::iota(first.begin(), first.end(), Node{0});
  for (std::size_t v = 0; v <= width; ++v)
    for (std::size_t u = 0; u < v; ++u) builder.add_edge(static_cast<Node>(u), static_cast<Node>(v));
  bags.push_back(first);
  for (std::size_t v = width + 1; v < n; ++v) {
    std::vector<Node> bag = bags[random.below(bags.size())];
    random.shuffle(bag);
    bag.resize(width);
    const std::size_t degree = 2 + random.below(width - 1);
    for (std::size_t i = 0; i < degree; ++i) builder.add_edge(bag[i], static_cast<Node>(v));
    bag.push_back(static_cast<Node>(v));
    bags.push_back(std::move(bag));
  }
  return std::move(builder).build();
}

std::array<Graph, 2> cfi_over(std::size_t width, Random& random) {
  graph::CfiOptions options;
  for (;;) {
    const Graph base = random_base(width, width + 1 + random.below(width == 2 ? 18 : 6), random);
    options.form = width == 2 && random.chance(0.5) ? graph::CfiForm::kGadgets : graph::CfiForm::kCompact;
    std::size_t nodes = 0;
    for (Node v = 0; v < base.num_nodes(); ++v) {
      const std::size_t degree = base.neighbors(v).size();
      nodes += degree < 12 ? std::size_t{1} << (degree - 1) : kMostPairNodes + 1;
      if (options.form == graph::CfiForm::kGadgets) nodes += 2 * degree;
    }
    if (nodes > kMostPairNodes) continue;
    graph::CfiPair pair = graph::cfi_pair(base, options);
    return {std::move(pair.untwisted), std::move(pair.twisted)};
  }
}

}  // namespace

std::vector<LadderFamily> hard_families(std::uint64_t seed) {
  const Random all(seed);
  std::uint64_t next = 0;
  std::vector<LadderFamily> families;
  const auto add = [&](const char* name, std::size_t count, Proof proof, auto draw) {
    Random random = all.stream(next++);
    families.push_back({name, {}});
    draw_pairs(families.back(), count, random, proof, draw);
  };
  add("basic", 60, Proof::kNauty, basic_pair);
  add("regular", 50, Proof::kNauty, regular_pair);
  add("extension", 100, Proof::kNauty, covered_pair);

  LadderFamily srg{"srg", {graph::rook_graph(4), graph::shrikhande_graph()}};
  const std::vector<Graph> chang = {graph::triangular_graph(8), graph::chang_graph(1), graph::chang_graph(2),
                                    graph::chang_graph(3)};
  for (std::size_t b = 0; b < chang.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      srg.graphs.push_back(chang[a]);
      srg.graphs.push_back(chang[b]);
    }
  Random random = all.stream(next++);
  std::size_t count = srg.num_pairs();
  for (const std::size_t order : {5, 6, 7, 8}) {
    count += order == 5 ? 1 : 20;
    draw_pairs(srg, count, random, Proof::kTest, [&](Random& r) { return latin_pair(order, r); });
  }
  families.push_back(std::move(srg));
  families.push_back(generalized_quadrangles());
  add("distance", 20, Proof::kTest, [](Random& r) {
    std::array<Graph, 2> pair = latin_pair(6, r);
    for (Graph& graph : pair) graph = bipartite_double(graph);
    return pair;
  });

  families.push_back({"cfi", {}});
  Random of_cfi = all.stream(next++);
  count = 0;
  for (const std::size_t width : {2, 3, 4}) {
    count += width == 2 ? 60 : 20;
    draw_pairs(families.back(), count, of_cfi, Proof::kTheorem, [&](Random& r) { return cfi_over(width, r); });
  }
  return families;
}

}  // namespace twofold::wl
