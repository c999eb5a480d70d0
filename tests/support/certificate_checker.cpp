#include "tests/support/certificate_checker.h"

#include <algorithm>
#include <array>
#include <map>

namespace twofold::testing {
namespace {

using Key = std::vector<long>;
using Object = std::vector<Node>;
using Colors = std::map<Object, long>;

struct Test {
  std::string name;
  long k = 1;        // of k-fwl
  long radius = -1;  // of 2-wl; -1: all
};

long label_of_edge(const Graph& g, Node u, Node v) {
  std::size_t number = 0;
  for (const Edge e : g.edges()) {
    if ((e.u == u && e.v == v) || (e.u == v && e.v == u))
      return g.has_edge_labels() ? 10 + 2L * g.edge_labels()[number] : 1;
    ++number;
  }
  for (const Node loop : g.self_loops()) {
    if (loop == u && u == v) return g.has_edge_labels() ? 10 + 2L * g.edge_labels()[number] : 1;
    ++number;
  }
  return 0;
}

struct Plain {
  const Graph& g;
  std::vector<std::vector<long>> edge;      // 0 where there is none
  std::vector<std::vector<long>> distance;  // large where there is no path
  explicit Plain(const Graph& graph) : g(graph) {
    const auto n = static_cast<Node>(g.num_nodes());
    edge.assign(n, std::vector<long>(n, 0));
    distance.assign(n, std::vector<long>(n, 1 << 20));
    for (Node u = 0; u < n; ++u)
      for (Node v = 0; v < n; ++v) {
        edge[u][v] = label_of_edge(g, u, v);
        if (u == v || edge[u][v] != 0) distance[u][v] = u == v ? 0 : 1;
      }
    for (Node w = 0; w < n; ++w)
      for (Node u = 0; u < n; ++u)
        for (Node v = 0; v < n; ++v) distance[u][v] = std::min(distance[u][v], distance[u][w] + distance[w][v]);
  }
};

// Numbers what is seen, the same for all graphs and marks.
struct Dictionary {
  std::map<Key, long> numbers;
  long number(const Key& key) { return numbers.emplace(key, static_cast<long>(numbers.size())).first->second; }
};

Key start_of_node(const Plain& p, Node v, const std::vector<Node>& marked) {
  const auto mark = std::find(marked.begin(), marked.end(), v) - marked.begin();
  return {p.g.has_node_labels(), p.g.has_node_labels() ? p.g.node_labels()[v] : 0, p.edge[v][v],
          mark == static_cast<std::ptrdiff_t>(marked.size()) ? 0 : mark + 1};
}

Key start_of(const Plain& p, const Test& test, const Object& o, const std::vector<Node>& marked) {
  if (test.name == "2-wl" || test.name == "2-gnn") {
    if (o[0] == o[1]) return start_of_node(p, o[0], marked);
    return {p.edge[o[0]][o[1]]};
  }
  Key key;
  for (std::size_t a = 0; a < o.size(); ++a) {
    const Key node = start_of_node(p, o[a], marked);
    key.insert(key.end(), node.begin(), node.end());
    for (std::size_t b = 0; b < a; ++b) key.push_back(o[a] == o[b] ? -1 : p.edge[o[a]][o[b]]);
  }
  return key;
}

std::vector<Object> objects_of(const Plain& p, const Test& test) {
  const auto n = static_cast<Node>(p.g.num_nodes());
  std::vector<Object> objects;
  if (test.name == "2-wl" || test.name == "2-gnn") {
    for (Node i = 0; i < n; ++i)
      for (Node j = i; j < n; ++j)
        if ((test.name == "2-wl" && test.radius < 0) ||
            p.distance[i][j] <= (test.name == "2-wl" ? test.radius : 1))
          objects.push_back({i, j});
    return objects;
  }
  objects.push_back({});
  for (long place = 0; place < test.k; ++place) {
    std::vector<Object> longer;
    for (const Object& o : objects)
      for (Node v = 0; v < n; ++v) {
        longer.push_back(o);
        longer.back().push_back(v);
      }
    objects = longer;
  }
  return objects;
}

Key around(const Plain& p, const Test& test, const Object& o, const Colors& colors) {
  const auto n = static_cast<Node>(p.g.num_nodes());
  std::vector<Key> items;
  const auto row = [&](Node i, Node j) { return colors.find({std::min(i, j), std::max(i, j)}); };
  for (Node w = 0; w < n; ++w) {
    if (test.name == "1-wl") {
      if (w != o[0] && p.edge[o[0]][w] != 0) items.push_back({colors.at({w}), p.edge[o[0]][w]});
    } else if (test.name == "2-wl") {
      const auto a = row(o[0], w);
      const auto b = row(w, o[1]);
      if (a != colors.end() && b != colors.end())
        items.push_back({std::min(a->second, b->second), std::max(a->second, b->second)});
    } else if (test.name == "2-gnn") {
      for (std::size_t end = 0; end < (o[0] == o[1] ? 1u : 2u); ++end) {
        const auto found = row(o[end], w);
        if (found != colors.end() && found->first != o) items.push_back({found->second});
      }
    } else {
      Key item;
      for (std::size_t place = 0; place < o.size(); ++place) {
        Object other = o;
        other[place] = w;
        item.push_back(colors.at(other));
      }
      items.push_back(item);
    }
  }
  std::sort(items.begin(), items.end());
  Key key;
  for (const Key& item : items) key.insert(key.end(), item.begin(), item.end());
  return key;
}

Colors refine(const Plain& p, const Test& test, long rounds, const std::vector<Node>& marked,
              Dictionary& words) {
  Colors colors;
  const std::vector<Object> objects = objects_of(p, test);
  for (const Object& o : objects) {
    Key key = start_of(p, test, o, marked);
    key.insert(key.begin(), {-1, static_cast<long>(key.size())});
    colors[o] = words.number(key);
  }
  for (long round = 0; round < rounds; ++round) {
    Colors next;
    for (const Object& o : objects) {
      Key key = around(p, test, o, colors);
      key.insert(key.begin(), {round, colors.at(o)});
      next[o] = words.number(key);
    }
    colors = next;
  }
  return colors;
}

std::map<long, long> histogram(const Colors& colors) {
  std::map<long, long> counts;
  for (const auto& [object, color] : colors) ++counts[color];
  return counts;
}

std::vector<std::vector<Node>> all_tuples(std::size_t n, std::size_t marks) {
  std::vector<std::vector<Node>> tuples = {{}};
  for (std::size_t m = 0; m < marks; ++m) {
    std::vector<std::vector<Node>> longer;
    for (const auto& tuple : tuples)
      for (Node v = 0; v < n; ++v)
        if (std::find(tuple.begin(), tuple.end(), v) == tuple.end()) {
          longer.push_back(tuple);
          longer.back().push_back(v);
        }
    tuples = longer;
  }
  return tuples;
}

std::string check_mapping(const Plain& a, const Plain& b, const std::vector<Node>& image) {
  const std::size_t n = a.g.num_nodes();
  if (image.size() != n || b.g.num_nodes() != n) return "the mapping has another number of nodes";
  std::vector<char> used(n, 0);
  for (const Node v : image) {
    if (v >= n || used[v]) return "the mapping is no permutation";
    used[v] = 1;
  }
  for (Node u = 0; u < n; ++u) {
    if (start_of_node(a, u, {}) != start_of_node(b, image[u], {})) return "the mapping changes a node";
    for (Node v = 0; v < n; ++v)
      if (a.edge[u][v] != b.edge[image[u]][image[v]]) return "the mapping changes an edge";
  }
  return "";
}

}  // namespace

std::string check_certificate(const Graph& first, const Graph& second, const nlohmann::json& line) {
  const std::array<Plain, 2> graphs = {Plain(first), Plain(second)};
  const std::string verdict = line.at("verdict");
  if (verdict == "isomorphic") return check_mapping(graphs[0], graphs[1], line.at("image"));
  if (verdict != "distinguished") return verdict == "not told apart" ? "" : "an unknown verdict";
  Test test;
  test.name = line.at("test");
  if (test.name.size() > 4 && test.name.substr(test.name.size() - 4) == "-fwl") test.k = std::stol(test.name);
  if (test.name == "2-wl" && line.at("radius") != "all") test.radius = line.at("radius");
  const std::vector<Node> nodes = line.at("nodes");
  const auto graph = line.at("graph").get<std::size_t>() - 1;
  const long rounds = line.at("rounds");
  const auto marks = line.at("marks").get<std::size_t>();
  const std::array<long, 2> claimed = line.at("counts");
  if (graph > 1) return "there is no such graph";
  if (claimed[0] == claimed[1]) return "the counts do not differ";
  for (const Node v : nodes)
    if (v >= graphs[graph].g.num_nodes()) return "there is no such node";
  Dictionary words;
  std::array<long, 2> counts = {0, 0};
  if (marks == 0) {
    const std::array<Colors, 2> colors = {refine(graphs[0], test, rounds, {}, words),
                                          refine(graphs[1], test, rounds, {}, words)};
    const auto object = colors[graph].find(nodes);
    if (object == colors[graph].end()) return "there is no such object";
    for (std::size_t g = 0; g < 2; ++g)
      for (const auto& [other, color] : colors[g]) counts[g] += color == object->second;
  } else {
    if (nodes.size() != marks) return "the marks are another number";
    const auto seen = histogram(refine(graphs[graph], test, rounds, nodes, words));
    for (std::size_t g = 0; g < 2; ++g)
      for (const auto& tuple : all_tuples(graphs[g].g.num_nodes(), marks))
        counts[g] += histogram(refine(graphs[g], test, rounds, tuple, words)) == seen;
  }
  return counts == claimed ? "" : "the counts are others";
}

}  // namespace twofold::testing
