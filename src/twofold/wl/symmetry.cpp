#include "twofold/wl/symmetry.h"

#include <nauty/nauty.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>
#include <tuple>

#include "twofold/wl/objects.h"

namespace twofold::wl {
namespace {

// The matrix of a graph as nauty takes it has n² bits.
constexpr std::size_t kMostNodes = 1024;
// Nodes of the search tree. Hard graphs of 200 nodes take some thousands.
constexpr std::size_t kMostSteps = 2'000;

// What nauty works on: nodes with a color each, and edges. An edge with a label becomes a node in the middle.
// Of a directed graph they are arcs.
struct Colored {
  std::vector<std::array<std::int64_t, 4>> colors;
  std::vector<Edge> edges;
  bool is_directed = false;
};

Colored color_nodes(const Graph& g, bool edge_labels, Span<const Node> marked) {
  Colored result;
  for (Node v = 0; v < g.num_nodes(); ++v)
    result.colors.push_back({0, g.has_node_labels() ? g.node_labels()[v] : 0, g.has_self_loop(v) ? 1 : 0, 0});
  for (std::size_t m = 0; m < marked.size(); ++m)
    result.colors[marked[m]][3] = static_cast<std::int64_t>(m) + 1;
  result.is_directed = g.is_directed();
  if (!edge_labels || !g.has_edge_labels()) {
    result.edges = g.is_directed() ? g.arcs() : g.edges();
    return result;
  }
  std::size_t number = 0;
  for (Node u = 0; u < g.num_nodes(); ++u)
    for (std::size_t i = 0; i < g.degree(u); ++i) {
      const Node v = g.neighbors(u)[i];
      if (v < u) continue;
      const auto middle = static_cast<Node>(result.colors.size());
      result.colors.push_back({1, g.edge_labels()[number++], 0, 0});
      for (const auto& [tail, head, against] :
           {std::tuple(u, v, Direction::kIn), std::tuple(v, u, Direction::kOut)}) {
        if (g.direction(u, i) == against) continue;
        result.edges.push_back({tail, middle});
        if (g.is_directed()) result.edges.push_back({middle, head});
      }
    }
  for (const Node v : g.self_loops()) {
    const auto middle = static_cast<Node>(result.colors.size());
    result.colors.push_back({2, g.edge_labels()[number++], 0, 0});
    result.edges.push_back({v, middle});
  }
  return result;
}

// nauty keeps its memory per thread, but the request to stop is one for all, so searches run one at a time.
std::mutex one_search;
std::size_t steps_left = 0;                            // guarded by one_search
std::vector<std::vector<Node>>* generators = nullptr;  // likewise
std::size_t num_graph_nodes = 0;                       // likewise

void keep_automorphism(int, int* image, int*, int, int, int) {
  generators->emplace_back(image, image + num_graph_nodes);
}

void count_step(::graph*, int*, int*, int, int, int, int, int, int) {
  if (steps_left > 0 && --steps_left == 0) nauty_kill_request = 1;
}

struct Search {
  std::vector<std::vector<Node>> generators;
  // If a canonical form was asked for: nodes in canonical order, and the form.
  std::vector<int> order;
  std::vector<::graph> form;
  bool is_complete = false;
};

Search search(const Colored& colored, std::size_t num_nodes, bool canonical) {
  Search result;
  const std::size_t size = colored.colors.size();
  if (size == 0 || size > kMostNodes) {
    result.is_complete = size == 0;
    return result;
  }
  // lab lists the nodes by color; ptn is 0 at the last of each color.
  std::vector<int> lab(size);
  std::vector<int> ptn(size);
  std::vector<int> orbits(size);
  std::iota(lab.begin(), lab.end(), 0);
  const auto color = [&](std::size_t at) { return colored.colors[static_cast<std::size_t>(lab[at])]; };
  std::stable_sort(lab.begin(), lab.end(), [&](int a, int b) {
    return colored.colors[static_cast<std::size_t>(a)] < colored.colors[static_cast<std::size_t>(b)];
  });
  for (std::size_t i = 0; i < size; ++i) ptn[i] = i + 1 < size && color(i + 1) == color(i) ? 1 : 0;

  const auto n = static_cast<int>(size);
  const int words = SETWORDSNEEDED(n);
  std::vector<::graph> matrix(size * static_cast<std::size_t>(words));
  for (const Edge e : colored.edges) {
    if (colored.is_directed)
      ADDONEARC(matrix.data(), static_cast<int>(e.u), static_cast<int>(e.v), words);
    else
      ADDONEEDGE(matrix.data(), static_cast<int>(e.u), static_cast<int>(e.v), words);
  }
  if (canonical) result.form.resize(matrix.size());

  const std::lock_guard<std::mutex> lock(one_search);
  static DEFAULTOPTIONS_GRAPH(options);
  options.getcanon = canonical ? TRUE : FALSE;
  options.defaultptn = FALSE;
  options.digraph = colored.is_directed ? TRUE : FALSE;
  options.userautomproc = keep_automorphism;
  options.usernodeproc = count_step;
  statsblk stats;
  steps_left = kMostSteps;
  generators = &result.generators;
  num_graph_nodes = num_nodes;
  nauty_kill_request = 0;
  densenauty(matrix.data(), lab.data(), ptn.data(), orbits.data(), &options, &stats, words, n,
             canonical ? result.form.data() : nullptr);
  nauty_kill_request = 0;
  result.is_complete = stats.errstatus == 0;
  if (canonical) result.order = std::move(lab);
  return result;
}

Node find_root(std::vector<Node>& parent, Node v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

}  // namespace

std::size_t Symmetry::num_orbits() const {
  std::size_t count = 0;
  for (Node v = 0; v < orbit_of.size(); ++v) count += orbit_of[v] == v;
  return count;
}

Symmetry find_symmetry(const Graph& graph, bool edge_labels, Span<const Node> marked) {
  Symmetry symmetry;
  symmetry.orbit_of.resize(graph.num_nodes());
  std::iota(symmetry.orbit_of.begin(), symmetry.orbit_of.end(), Node{0});
  if (graph.num_nodes() > kMostNodes) return symmetry;
  symmetry.generators = search(color_nodes(graph, edge_labels, marked), graph.num_nodes(), false).generators;
  std::vector<Node>& orbit_of = symmetry.orbit_of;
  for (const auto& image : symmetry.generators)
    for (Node v = 0; v < image.size(); ++v) {
      const Node a = find_root(orbit_of, v);
      const Node b = find_root(orbit_of, image[v]);
      orbit_of[std::max(a, b)] = std::min(a, b);
    }
  for (Node v = 0; v < orbit_of.size(); ++v) orbit_of[v] = find_root(orbit_of, v);
  return symmetry;
}

std::optional<std::vector<Node>> find_isomorphism(const Graph& a, const Graph& b, bool edge_labels) {
  const std::size_t n = a.num_nodes();
  if (b.num_nodes() != n || b.num_edges() != a.num_edges() || n > kMostNodes) return std::nullopt;
  const Colored first = color_nodes(a, edge_labels, {});
  const Colored second = color_nodes(b, edge_labels, {});
  if (first.colors.size() != second.colors.size()) return std::nullopt;
  const Search found = search(first, n, true);
  if (!found.is_complete) return std::nullopt;
  const Search other = search(second, n, true);
  if (!other.is_complete || other.form != found.form) return std::nullopt;
  std::vector<Node> image(n);
  for (std::size_t i = 0; i < found.order.size(); ++i) {
    const auto v = static_cast<std::size_t>(found.order[i]);
    if (v >= n) continue;
    if (static_cast<std::size_t>(other.order[i]) >= n) return std::nullopt;
    image[v] = static_cast<Node>(other.order[i]);
  }
  // The forms say nothing of colors, and what nauty says is worth a look.
  WlTest plain;
  plain.edge_labels = edge_labels;
  if (!is_isomorphism(*make_vertex_objects(a, plain), *make_vertex_objects(b, plain), image))
    return std::nullopt;
  return image;
}

std::vector<MarkOrbit> extend_marks(const Graph& graph, bool edge_labels, const MarkOrbit& parent,
                                    bool by_orbits) {
  const std::size_t n = graph.num_nodes();
  std::vector<std::uint64_t> size(n, 1);
  bool is_rigid = true;
  if (by_orbits && !parent.is_rigid) {
    const Symmetry symmetry = find_symmetry(graph, edge_labels, parent.nodes);
    std::fill(size.begin(), size.end(), 0);
    for (const Node v : symmetry.orbit_of) ++size[v];
    is_rigid = symmetry.generators.empty();
  }
  for (const Node v : parent.nodes) size[v] = 0;
  std::vector<MarkOrbit> result;
  for (Node v = 0; v < n; ++v) {
    if (size[v] == 0) continue;
    result.push_back({parent.nodes, parent.size * size[v], is_rigid});
    result.back().nodes.push_back(v);
  }
  return result;
}

std::uint64_t count_copies(std::size_t n, int marks) {
  std::uint64_t count = 1;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(marks); ++i) {
    if (i >= n) return 0;
    if (count > (std::uint64_t{1} << 63) / (n - i)) return std::uint64_t{1} << 63;
    count *= n - i;
  }
  return count;
}

std::vector<MarkOrbit> mark_orbits(const Graph& graph, bool edge_labels, int marks, bool by_orbits,
                                   std::uint64_t most) {
  std::vector<MarkOrbit> orbits = {MarkOrbit{}};
  for (int m = 0; m < marks; ++m) {
    std::vector<MarkOrbit> longer;
    std::uint64_t at_least = 0;
    for (const MarkOrbit& orbit : orbits)
      for (MarkOrbit& next : extend_marks(graph, edge_labels, orbit, by_orbits)) {
        const auto used = static_cast<std::size_t>(m) + 1;
        const std::uint64_t count = next.is_rigid ? count_copies(graph.num_nodes() - used, marks - m - 1) : 1;
        if (count > most - at_least) throw TooManyOrbits{std::max(at_least, count)};
        at_least += count;
        longer.push_back(std::move(next));
      }
    orbits = std::move(longer);
  }
  return orbits;
}

}  // namespace twofold::wl
