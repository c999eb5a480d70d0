#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/base/span.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

/// A small graph that is looked for in others, by its word.
struct Pattern {
  enum class Kind {
    kCycle,           // cycle-L: a cycle of L nodes
    kChordal,         // chordal-4, chordal-5: a cycle of that many nodes and one chord
    kClique,          // clique-K: K nodes, each joined to each
    kStar,            // star-K: a node and K leaves
    kPath,            // path-K: K edges in a row
    kTailedTriangle,  // tailed-triangle: a triangle and an edge at one of its nodes
  };
  Kind kind = Kind::kCycle;
  int size = 3;
};
bool operator==(const Pattern& a, const Pattern& b);

/// `cycle-5`, `star-3`, `tailed-triangle`, …
std::string pattern_name(const Pattern& pattern);

/// Words with commas between them; `cycle-3-8` is a range, `all` every pattern that is usual: cycles to 8, both
/// chordal cycles, the tailed triangle, cliques of 4 and 5, stars of 2 to 4 leaves, paths of 2 to 5 edges.
/// Each pattern once. Throws UsageError for other words, and for sizes outside cycle 3…16, chordal 4…5, clique
/// 3…16, star 1…16, path 1…12.
std::vector<Pattern> parse_patterns(const std::string& text);

struct CountPatternsOptions {
  /// 0 takes all available threads. Never changes a result.
  int threads = 1;
  /// Told how many graphs are done, of how many.
  Progress progress = {};
};

/// How often each pattern is a subgraph, induced or not, each set of edges once. A row per graph, one number
/// per pattern. Exact. Self-loops, labels and attributes do not matter.
///
/// Cycles cost what count_cycles says; chordal cycles and tailed triangles as much as cycles of 4 and 3 nodes;
/// cliques the cliques with one node less, found in an order of small degrees; paths of K edges the paths of
/// K - 1; stars nothing. Throws Error if a number exceeds 64 bits.
std::vector<std::vector<std::uint64_t>> count_patterns(Span<const Graph> graphs,
                                                       const std::vector<Pattern>& patterns,
                                                       const CountPatternsOptions& options = {});

}  // namespace twofold::graph
