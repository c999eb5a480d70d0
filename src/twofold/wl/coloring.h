#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/objects.h"
#include "twofold/wl/wl_test.h"

namespace twofold::wl {

/// The colors of a batch of graphs that were refined together, so that equal colors mean the same in all of
/// them.
struct Coloring {
  WlTest test;
  // num_graphs + 1 ascending positions in `colors`; the first is 0.
  std::vector<std::size_t> offsets = {0};
  // The objects of graph g at offsets[g]…offsets[g+1], in the order stated at Objects::size().
  // Colors are 0…num_colors-1, each used, numbered by their first object.
  std::vector<Color> colors;
  std::size_t num_colors = 0;
  // Rounds that were made since the initial colors. 0 where the stable coloring was found without rounds.
  std::size_t num_rounds = 0;
  // No further round would split a color.
  bool is_stable = false;

  std::size_t num_graphs() const { return offsets.size() - 1; }
  Span<const Color> of_graph(std::size_t g) const {
    return {colors.data() + offsets[g], offsets[g + 1] - offsets[g]};
  }
  /// (color, how many objects) of one graph, colors ascending. O(objects log objects).
  std::vector<std::pair<Color, std::size_t>> histogram(std::size_t g) const;
  /// Throws CheckError unless every sentence above holds.
  void check() const;
};

struct RefineOptions {
  /// Stop after that many rounds; negative: when stable.
  int max_rounds = -1;
  /// Is shown the coloring of round 0, 1, …; returns false to stop. Every round is then exact, else only the
  /// last is.
  std::function<bool(const Coloring&)> after_round;

  /// 0 takes all available threads. Never changes a result.
  int threads = 1;
  /// In bytes; 0 takes nine tenths of the machine's. Needing more is an Error before the work starts.
  std::uint64_t max_memory = 0;
  /// The bits of hashes that are used. Fewer make the work slower and change nothing else; tests take none.
  std::uint64_t hash_mask = ~std::uint64_t{0};
};

/// Refines all graphs together until no color splits any more, or as long as the options say.
///
/// Two objects keep one color iff they had one before and see the same multiset around them (wl_test.h).
/// Exact: hashes group objects, and what is grouped is compared. Needs test.marks == 0.
/// 1-wl to stability without looking at rounds takes O((n + m) log n) for all graphs together; all else takes
/// for a round the size of the neighborhoods: (n + m), n^(k+1), triples. An empty graph takes 0 rounds. The
/// result is the same for any number of threads.
Coloring refine(Span<const Graph> graphs, const WlTest& test, const RefineOptions& options = {});
Coloring refine(const Graph& graph, const WlTest& test, const RefineOptions& options = {});

}  // namespace twofold::wl
