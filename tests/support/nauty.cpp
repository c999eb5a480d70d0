#include "tests/support/nauty.h"

#include <nauty/nauty.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace twofold::testing {
namespace {

// What nauty works on: nodes with a color each, and edges. An edge with a label becomes a node in the middle.
struct Colored {
  std::vector<std::array<std::int64_t, 3>> colors;
  std::vector<Edge> edges;
};

Colored without_edge_labels(const Graph& g) {
  Colored result;
  for (Node v = 0; v < g.num_nodes(); ++v)
    result.colors.push_back({0, g.has_node_labels() ? g.node_labels()[v] : 0, g.has_self_loop(v) ? 1 : 0});
  if (!g.has_edge_labels()) {
    result.edges = g.edges();
    return result;
  }
  std::size_t number = 0;
  for (const Edge e : g.edges()) {
    const auto middle = static_cast<Node>(result.colors.size());
    result.colors.push_back({1, g.edge_labels()[number++], 0});
    result.edges.push_back({e.u, middle});
    result.edges.push_back({e.v, middle});
  }
  for (const Node v : g.self_loops()) {
    const auto middle = static_cast<Node>(result.colors.size());
    result.colors.push_back({2, g.edge_labels()[number++], 0});
    result.edges.push_back({v, middle});
  }
  return result;
}

struct Answer {
  std::vector<std::int64_t> form;
  double num_automorphisms = 1;
};

Answer ask_nauty(const Graph& g) {
  const Colored colored = without_edge_labels(g);
  const auto n = static_cast<int>(colored.colors.size());
  Answer answer;
  answer.form = {static_cast<std::int64_t>(g.num_nodes()), g.has_node_labels(), g.has_edge_labels()};
  if (n == 0) return answer;

  // lab lists the nodes by color; ptn is 0 at the last of each color.
  std::vector<int> lab(static_cast<std::size_t>(n));
  std::vector<int> ptn(lab.size());
  std::vector<int> orbits(lab.size());
  std::iota(lab.begin(), lab.end(), 0);
  std::stable_sort(lab.begin(), lab.end(), [&](int a, int b) { return colored.colors[a] < colored.colors[b]; });
  for (int i = 0; i < n; ++i) {
    const auto& color = colored.colors[lab[i]];
    ptn[i] = i + 1 < n && colored.colors[lab[i + 1]] == color;
    answer.form.insert(answer.form.end(), color.begin(), color.end());
  }

  const int words = SETWORDSNEEDED(n);
  std::vector<graph> matrix(static_cast<std::size_t>(n) * words);
  std::vector<graph> canonical(matrix.size());
  for (const Edge e : colored.edges)
    ADDONEEDGE(matrix.data(), static_cast<int>(e.u), static_cast<int>(e.v), words);
  DEFAULTOPTIONS_GRAPH(options);
  options.getcanon = TRUE;
  options.defaultptn = FALSE;
  statsblk stats;
  densenauty(matrix.data(), lab.data(), ptn.data(), orbits.data(), &options, &stats, words, n,
             canonical.data());
  for (const graph word : canonical) answer.form.push_back(static_cast<std::int64_t>(word));
  answer.num_automorphisms = stats.grpsize1 * std::pow(10.0, stats.grpsize2);
  return answer;
}

}  // namespace

std::vector<std::int64_t> canonical_form(const Graph& g) { return ask_nauty(g).form; }

double num_automorphisms(const Graph& g) { return ask_nauty(g).num_automorphisms; }

bool isomorphic(const Graph& a, const Graph& b) {
  if (a.num_nodes() != b.num_nodes() || a.num_edges() != b.num_edges()) return false;
  return canonical_form(a) == canonical_form(b);
}

std::size_t num_isomorphism_classes(const std::vector<Graph>& graphs) {
  std::set<std::vector<std::int64_t>> forms;
  for (const Graph& g : graphs) forms.insert(canonical_form(g));
  return forms.size();
}

}  // namespace twofold::testing
