#include "twofold/wl/certificate_checker.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace twofold::wl {
namespace {

using Key = std::vector<long>;
using Object = std::vector<Node>;
// By the number of an object; -1: there is no such object.
using CheckedColors = std::vector<long>;

constexpr long kFar = 1L << 40;
constexpr long kSmallest = -(1L << 31);  // of labels

struct CheckedTest {
  std::string name;
  std::size_t k = 1;  // nodes per object
  long radius = -1;   // of 2-wl; -1: all
  bool has_rows() const { return name == "2-wl" || name == "2-gnn"; }
};

struct PlainGraph {
  const Graph& g;
  std::size_t n;
  // 0 where there is none; edge[v][v]: the self-loop. Of a directed graph edge[u][v] is another number where
  // the arc leads from u to v, where it leads back, and where there are both.
  std::vector<std::vector<long>> edge;
  std::vector<std::vector<Node>> neighbors;

  explicit PlainGraph(const Graph& graph) : g(graph), n(graph.num_nodes()), neighbors(n) {
    edge.assign(n, std::vector<long>(n, 0));
    std::size_t number = 0;
    const auto add = [&](Node u, Node v) {
      edge[u][v] = edge[v][u] = g.has_edge_labels() ? 8 + 8 * (long{g.edge_labels()[number]} - kSmallest) : 1;
      ++number;
    };
    for (const Edge e : g.edges()) {
      add(e.u, e.v);
      neighbors[e.u].push_back(e.v);
      neighbors[e.v].push_back(e.u);
    }
    for (const Node v : g.self_loops()) add(v, v);
    if (!g.is_directed()) return;
    for (const Edge arc : g.arcs()) {
      edge[arc.u][arc.v] += 2;
      edge[arc.v][arc.u] += 4;
    }
  }

  std::vector<long> distances_from(Node start) const {
    std::vector<long> distance(n, kFar);
    std::vector<Node> reached = {start};
    distance[start] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Node v : neighbors[reached[i]])
        if (distance[v] == kFar) {
          distance[v] = distance[reached[i]] + 1;
          reached.push_back(v);
        }
    return distance;
  }
  // Rows are unordered, unless the graph is directed: the smaller node first.
  std::size_t number_of(const CheckedTest& test, Object o) const {
    if (test.has_rows() && !g.is_directed()) std::sort(o.begin(), o.end());
    std::size_t number = 0;
    for (const Node v : o) number = number * n + v;
    return number;
  }
};

// Numbers what is seen, the same for all graphs and marks.
struct Dictionary {
  std::map<Key, long> numbers;
  long number(const Key& key) { return numbers.emplace(key, static_cast<long>(numbers.size())).first->second; }
};

Key start_of_node(const PlainGraph& p, Node v, const std::vector<Node>& marked) {
  const auto mark = std::find(marked.begin(), marked.end(), v) - marked.begin();
  return {p.g.has_node_labels(), p.g.has_node_labels() ? p.g.node_labels()[v] : 0, p.edge[v][v],
          mark == static_cast<std::ptrdiff_t>(marked.size()) ? 0 : mark + 1};
}

Key start_of(const PlainGraph& p, const CheckedTest& test, const Object& o, const std::vector<Node>& marked) {
  if (test.has_rows()) return o[0] == o[1] ? start_of_node(p, o[0], marked) : Key{p.edge[o[0]][o[1]]};
  Key key;
  for (std::size_t a = 0; a < o.size(); ++a) {
    const Key node = start_of_node(p, o[a], marked);
    key.insert(key.end(), node.begin(), node.end());
    for (std::size_t b = 0; b < a; ++b) key.push_back(o[a] == o[b] ? -1 : p.edge[o[b]][o[a]]);
  }
  return key;
}

std::vector<Object> objects_of(const PlainGraph& p, const CheckedTest& test) {
  std::vector<Object> objects;
  if (test.has_rows()) {
    for (Node i = 0; i < p.n; ++i) {
      const std::vector<long> distance = p.distances_from(i);
      for (Node j = p.g.is_directed() ? 0 : i; j < p.n; ++j)
        if (test.radius < 0 || distance[j] <= test.radius) objects.push_back({i, j});
    }
    return objects;
  }
  objects.push_back({});
  for (std::size_t place = 0; place < test.k; ++place) {
    std::vector<Object> longer;
    for (const Object& o : objects)
      for (Node v = 0; v < p.n; ++v) {
        longer.push_back(o);
        longer.back().push_back(v);
      }
    objects = std::move(longer);
  }
  return objects;
}

// The multiset around an object, item by item.
Key around(const PlainGraph& p, const CheckedTest& test, const Object& o, const CheckedColors& colors) {
  std::vector<Key> items;
  if (test.name == "1-wl") {
    for (const Node w : p.neighbors[o[0]]) items.push_back({colors[w], p.edge[o[0]][w]});
  } else {
    for (Node w = 0; w < p.n; ++w) {
      if (test.name == "2-wl") {
        const long a = colors[p.number_of(test, {o[0], w})];
        const long b = colors[p.number_of(test, {w, o[1]})];
        if (a < 0 || b < 0) continue;
        items.push_back(p.g.is_directed() ? Key{a, b} : Key{std::min(a, b), std::max(a, b)});
      } else if (test.name == "2-gnn") {
        for (std::size_t end = 0; end < (o[0] == o[1] ? 1u : 2u); ++end) {
          const std::size_t other = p.number_of(test, {o[end], w});
          if (colors[other] >= 0 && other != p.number_of(test, o)) items.push_back({colors[other]});
        }
      } else {
        Key item;
        for (std::size_t place = 0; place < o.size(); ++place) {
          Object other = o;
          other[place] = w;
          item.push_back(colors[p.number_of(test, other)]);
        }
        items.push_back(item);
      }
    }
  }
  std::sort(items.begin(), items.end());
  Key key;
  for (const Key& item : items) key.insert(key.end(), item.begin(), item.end());
  return key;
}

CheckedColors refine_plainly(const PlainGraph& p, const CheckedTest& test, long rounds,
                             const std::vector<Node>& marked, Dictionary& words) {
  const std::vector<Object> objects = objects_of(p, test);
  std::size_t most = 1;
  for (std::size_t place = 0; place < test.k; ++place) most *= p.n;
  CheckedColors colors(most, -1);
  for (const Object& o : objects) {
    Key key = start_of(p, test, o, marked);
    key.insert(key.begin(), {-1, static_cast<long>(key.size())});
    colors[p.number_of(test, o)] = words.number(key);
  }
  for (long round = 0; round < rounds; ++round) {
    CheckedColors next(most, -1);
    for (const Object& o : objects) {
      Key key = around(p, test, o, colors);
      key.insert(key.begin(), {round, colors[p.number_of(test, o)]});
      next[p.number_of(test, o)] = words.number(key);
    }
    colors = std::move(next);
  }
  return colors;
}

// Calls see(nodes) with every ordered tuple of `marks` distinct nodes that begins with `nodes`.
template <typename See>
void for_each_tuple(std::size_t n, std::size_t marks, std::vector<Node>& nodes, const See& see) {
  if (nodes.size() == marks) return see(nodes);
  for (Node v = 0; v < n; ++v) {
    if (std::find(nodes.begin(), nodes.end(), v) != nodes.end()) continue;
    nodes.push_back(v);
    for_each_tuple(n, marks, nodes, see);
    nodes.pop_back();
  }
}

std::string check_mapping(const PlainGraph& a, const PlainGraph& b, const std::vector<Node>& image) {
  if (image.size() != a.n || b.n != a.n) return "the mapping has another number of nodes";
  std::vector<char> used(a.n, 0);
  for (const Node v : image) {
    if (v >= a.n || used[v]) return "the mapping is no permutation";
    used[v] = 1;
  }
  for (Node u = 0; u < a.n; ++u) {
    if (start_of_node(a, u, {}) != start_of_node(b, image[u], {})) return "the mapping changes a node";
    for (Node v = 0; v < a.n; ++v)
      if (a.edge[u][v] != b.edge[image[u]][image[v]]) return "the mapping changes an edge";
  }
  return "";
}

// Nothing if there is such a test, else what is wrong.
std::string read_test(const nlohmann::json& line, CheckedTest& test) {
  test.name = line.at("test");
  if (test.has_rows()) test.k = 2;
  if (test.name == "2-gnn") test.radius = 1;
  if (test.name == "1-wl" || test.name == "2-gnn") return "";
  if (test.name == "2-wl") {
    if (line.at("radius") == "all") return "";
    test.radius = line.at("radius");
    return test.radius > 0 ? "" : "there is no such radius";
  }
  const std::size_t digits = test.name.find_first_not_of("0123456789");
  if (digits == 0 || digits > 3 || test.name.substr(digits) != "-fwl") return "there is no such test";
  test.k = std::stoul(test.name);
  return test.k >= 2 ? "" : "there is no such test";
}

}  // namespace

std::string check_certificate(const Graph& first, const Graph& second, const nlohmann::json& line) {
  const std::array<PlainGraph, 2> graphs = {PlainGraph(first), PlainGraph(second)};
  const std::string verdict = line.at("verdict");
  if (verdict == "isomorphic") return check_mapping(graphs[0], graphs[1], line.at("image"));
  if (verdict != "distinguished") return verdict == "not told apart" ? "" : "an unknown verdict";
  CheckedTest test;
  if (std::string wrong = read_test(line, test); !wrong.empty()) return wrong;
  const std::vector<Node> nodes = line.at("nodes");
  const auto graph = line.at("graph").get<std::size_t>() - 1;
  const long rounds = line.at("rounds");
  const auto marks = line.at("marks").get<std::size_t>();
  const std::array<long, 2> claimed = line.at("counts");
  if (graph > 1) return "there is no such graph";
  if (claimed[0] == claimed[1]) return "the counts do not differ";
  for (const Node v : nodes)
    if (v >= graphs[graph].n) return "there is no such node";
  Dictionary words;
  std::array<long, 2> counts = {0, 0};
  if (marks == 0) {
    if (nodes.size() != test.k) return "there is no such object";
    const std::array<CheckedColors, 2> colors = {refine_plainly(graphs[0], test, rounds, {}, words),
                                                 refine_plainly(graphs[1], test, rounds, {}, words)};
    const long color = colors[graph][graphs[graph].number_of(test, nodes)];
    if (color < 0) return "there is no such object";
    for (std::size_t g = 0; g < 2; ++g) counts[g] = std::count(colors[g].begin(), colors[g].end(), color);
  } else {
    if (nodes.size() != marks) return "the marks are another number";
    const auto histogram = [&](std::size_t g, const std::vector<Node>& marked) {
      CheckedColors colors = refine_plainly(graphs[g], test, rounds, marked, words);
      colors.erase(std::remove(colors.begin(), colors.end(), -1), colors.end());
      std::sort(colors.begin(), colors.end());
      return colors;
    };
    const CheckedColors seen = histogram(graph, nodes);
    for (std::size_t g = 0; g < 2; ++g) {
      std::vector<Node> tuple;
      for_each_tuple(graphs[g].n, marks, tuple,
                     [&](const std::vector<Node>& marked) { counts[g] += histogram(g, marked) == seen; });
    }
  }
  return counts == claimed ? "" : "the counts are others";
}

}  // namespace twofold::wl
