#include "twofold/graph/pattern_counts.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/cycle_counts.h"

namespace twofold::graph {
namespace {

using Kind = Pattern::Kind;

struct PatternRow {
  Kind kind;
  const char* word;
  int smallest, largest;
};
constexpr std::array<PatternRow, 5> kPatternRows = {{{Kind::kCycle, "cycle", 3, kLongestCycle},
                                                     {Kind::kChordal, "chordal", 4, 5},
                                                     {Kind::kClique, "clique", 3, 16},
                                                     {Kind::kStar, "star", 1, 16},
                                                     {Kind::kPath, "path", 1, 12}}};
constexpr const char* kTailedTriangle = "tailed-triangle";
constexpr const char* kUsualPatterns = "cycle-3-8,chordal-4-5,tailed-triangle,clique-4-5,star-2-4,path-2-5";

[[noreturn]] void refuse_pattern(const std::string& word) {
  std::string known;
  for (const PatternRow& row : kPatternRows)
    known += fmt::format("{}-K for K = {} to {}, ", row.word, row.smallest, row.largest);
  throw UsageError(fmt::format("needed patterns {}{} or all, ranges as in cycle-3-8, found {}", known,
                               kTailedTriangle, in_quotes(word)));
}

int size_of_word(const std::string& text) {
  if (text.empty() || text.size() > 2 || text.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::stoi(text);
}

void add_word(const std::string& word, std::vector<Pattern>& patterns) {
  const auto add = [&](Pattern pattern) {
    if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end()) patterns.push_back(pattern);
  };
  if (word == kTailedTriangle) return add({Kind::kTailedTriangle, 4});
  const std::size_t dash = word.find('-');
  for (const PatternRow& row : kPatternRows) {
    if (dash == std::string::npos || word.substr(0, dash) != row.word) continue;
    const std::string sizes = word.substr(dash + 1);
    const std::size_t second = sizes.find('-');
    const int first = size_of_word(sizes.substr(0, second));
    const int last = second == std::string::npos ? first : size_of_word(sizes.substr(second + 1));
    if (first < row.smallest || last > row.largest || first > last) refuse_pattern(word);
    for (int size = first; size <= last; ++size) add({row.kind, size});
    return;
  }
  refuse_pattern(word);
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) throw Error("a pattern comes more often than 64 bits can count");
  return result;
}
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw Error("a pattern comes more often than 64 bits can count");
  return result;
}

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t result = 1;
  // After step i it is n - k + i over i, a whole number.
  for (std::uint64_t i = 1; i <= k; ++i) result = times(result, n - k + i) / i;
  return result;
}

std::uint64_t count_stars(const Graph& g, int leaves) {
  // An edge is a star of one leaf at both of its ends.
  if (leaves == 1) return g.num_edges();
  std::uint64_t sum = 0;
  for (Node v = 0; v < g.num_nodes(); ++v)
    sum = plus(sum, choose(g.degree(v), static_cast<std::uint64_t>(leaves)));
  return sum;
}

// Paths of `edges` edges from each node, of which the last edge is counted by formula: the neighbors of the
// last node that are not on the path.
class PathWalker {
 public:
  PathWalker(const Graph& g, int edges)
      : g_(g), edges_(edges), on_path_(g.num_nodes(), 0), visited_neighbors_(g.num_nodes(), 0) {}

  std::uint64_t count() {
    if (edges_ == 1) return g_.num_edges();
    for (Node v = 0; v < g_.num_nodes(); ++v) step(v, edges_ - 1);
    return total_ / 2;  // from either end
  }

 private:
  // `left` edges and one more are to come.
  void step(Node v, int left) {
    on_path_[v] = 1;
    for (const Node w : g_.neighbors(v)) ++visited_neighbors_[w];
    for (const Node w : g_.neighbors(v)) {
      if (on_path_[w] != 0) continue;
      if (left == 1)
        total_ = plus(total_, g_.degree(w) - visited_neighbors_[w]);
      else
        step(w, left - 1);
    }
    for (const Node w : g_.neighbors(v)) --visited_neighbors_[w];
    on_path_[v] = 0;
  }

  const Graph& g_;
  int edges_;
  std::vector<char> on_path_;
  std::vector<std::uint32_t> visited_neighbors_;  // of each node: its neighbors that are on the path
  std::uint64_t total_ = 0;
};

// Each clique once: by its first node in an order that takes away a node of the smallest degree each time, so
// that few neighbors come later.
class CliqueWalker {
 public:
  explicit CliqueWalker(const Graph& g) : later_(g.num_nodes()) {
    const std::size_t n = g.num_nodes();
    std::vector<std::size_t> degree(n);
    std::vector<std::vector<Node>> of_degree(n + 1);
    for (Node v = 0; v < n; ++v) of_degree[degree[v] = g.degree(v)].push_back(v);
    std::vector<char> is_gone(n, 0);
    std::vector<std::uint32_t> place(n, 0);
    std::uint32_t next = 0;
    for (std::size_t d = 0; d <= n;) {
      if (of_degree[d].empty()) {
        ++d;
        continue;
      }
      const Node v = of_degree[d].back();
      of_degree[d].pop_back();
      if (is_gone[v] != 0 || degree[v] != d) continue;
      is_gone[v] = 1;
      place[v] = next++;
      for (const Node w : g.neighbors(v))
        if (is_gone[w] == 0) of_degree[--degree[w]].push_back(w);
      if (d > 0) --d;
    }
    for (Node v = 0; v < n; ++v) {
      for (const Node w : g.neighbors(v))
        if (place[w] > place[v]) later_[v].push_back(w);
      std::sort(later_[v].begin(), later_[v].end());
    }
  }

  std::uint64_t count(int size) {
    total_ = 0;
    for (const std::vector<Node>& candidates : later_) extend(candidates, size - 1);
    return total_;
  }

 private:
  // `left` nodes more, all of them candidates.
  void extend(const std::vector<Node>& candidates, int left) {
    if (static_cast<std::size_t>(left) > candidates.size()) return;
    if (left == 1) {
      total_ = plus(total_, candidates.size());
      return;
    }
    std::vector<Node> common;
    for (const Node v : candidates) {
      common.clear();
      std::set_intersection(candidates.begin(), candidates.end(), later_[v].begin(), later_[v].end(),
                            std::back_inserter(common));
      extend(common, left - 1);
    }
  }

  std::vector<std::vector<Node>> later_;  // ascending
  std::uint64_t total_ = 0;
};

std::vector<std::uint64_t> count_in_graph(const Graph& g, const std::vector<Pattern>& patterns) {
  int longest = 0;
  bool needs_cliques = false;
  for (const Pattern& pattern : patterns) {
    if (pattern.kind == Kind::kCycle) longest = std::max(longest, pattern.size);
    if (pattern.kind == Kind::kChordal) longest = std::max(longest, pattern.size == 4 ? 3 : 4);
    if (pattern.kind == Kind::kTailedTriangle) longest = std::max(longest, 3);
    needs_cliques = needs_cliques || pattern.kind == Kind::kClique;
  }
  CycleCounts cycles;
  if (longest > 0) cycles = count_cycles(g, CycleLengths{3, longest});
  const std::vector<Edge> edges = longest > 0 ? g.edges() : std::vector<Edge>();
  const auto triangles = [&](std::size_t edge) { return cycles.of_edge(edge)[0]; };

  // A chord with a triangle on either side.
  const auto count_chordal_4 = [&] {
    std::uint64_t sum = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) sum = plus(sum, choose(triangles(e), 2));
    return sum;
  };
  // A chord uv with a triangle uvw on one side and a 4-cycle uvxy on the other: not those with w = x (then uvx
  // is a triangle and y a neighbor of u and x other than v) and, likewise, not those with w = y.
  const auto count_chordal_5 = [&] {
    std::uint64_t all = 0, touching = 0;
    struct Step {
      Node to;
      std::size_t edge;
    };
    std::vector<std::vector<Step>> steps(g.num_nodes());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      steps[edges[e].u].push_back({edges[e].v, e});
      steps[edges[e].v].push_back({edges[e].u, e});
    }
    std::vector<std::size_t> edge_to(g.num_nodes(), edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      all = plus(all, times(triangles(e), cycles.of_edge(e)[1]));
      for (const Step& step : steps[edges[e].u]) edge_to[step.to] = step.edge;
      for (const Step& step : steps[edges[e].v])
        if (edge_to[step.to] != edges.size())
          touching = plus(touching, triangles(edge_to[step.to]) - 1 + triangles(step.edge) - 1);
      for (const Step& step : steps[edges[e].u]) edge_to[step.to] = edges.size();
    }
    return all - touching;
  };
  const auto count_tailed = [&] {
    std::uint64_t sum = 0;
    for (Node v = 0; v < g.num_nodes(); ++v)
      if (g.degree(v) > 2) sum = plus(sum, times(cycles.of_node(v)[0], g.degree(v) - 2));
    return sum;
  };

  std::vector<std::uint64_t> counts;
  CliqueWalker cliques(needs_cliques ? g : Graph());
  for (const Pattern& pattern : patterns) {
    switch (pattern.kind) {
      case Kind::kCycle:
        counts.push_back(cycles.in_graph[static_cast<std::size_t>(pattern.size) - 3]);
        break;
      case Kind::kChordal:
        counts.push_back(pattern.size == 4 ? count_chordal_4() : count_chordal_5());
        break;
      case Kind::kClique:
        counts.push_back(cliques.count(pattern.size));
        break;
      case Kind::kStar:
        counts.push_back(count_stars(g, pattern.size));
        break;
      case Kind::kPath:
        counts.push_back(PathWalker(g, pattern.size).count());
        break;
      case Kind::kTailedTriangle:
        counts.push_back(count_tailed());
        break;
    }
  }
  return counts;
}

}  // namespace

bool operator==(const Pattern& a, const Pattern& b) { return a.kind == b.kind && a.size == b.size; }

std::string pattern_name(const Pattern& pattern) {
  for (const PatternRow& row : kPatternRows)
    if (row.kind == pattern.kind) return fmt::format("{}-{}", row.word, pattern.size);
  return kTailedTriangle;
}

std::vector<Pattern> parse_patterns(const std::string& text) {
  std::vector<Pattern> patterns;
  std::size_t start = 0;
  for (;;) {
    const std::size_t comma = text.find(',', start);
    const std::string word = text.substr(start, comma == std::string::npos ? comma : comma - start);
    if (word == "all") {
      for (const Pattern& pattern : parse_patterns(kUsualPatterns))
        if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end()) patterns.push_back(pattern);
    } else {
      add_word(word, patterns);
    }
    if (comma == std::string::npos) return patterns;
    start = comma + 1;
  }
}

std::vector<std::vector<std::uint64_t>> count_patterns(Span<const Graph> graphs,
                                                       const std::vector<Pattern>& patterns,
                                                       const CountPatternsOptions& options) {
  std::vector<std::vector<std::uint64_t>> counts(graphs.size());
  std::mutex guard;
  std::size_t done = 0;
  parallel_for(graphs.size(), options.threads, [&](std::size_t i) {
    counts[i] = count_in_graph(graphs[i], patterns);
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(guard);
    options.progress(++done, graphs.size());
  });
  return counts;
}

}  // namespace twofold::graph
