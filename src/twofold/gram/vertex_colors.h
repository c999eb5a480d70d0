#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/gram/kernel.h"
#include "twofold/gram/word_table.h"
#include "twofold/graph/graph.h"

namespace twofold::gram {

/// The 1-WL colors of vertices, round by round, that stay comparable when further graphs come: each round keeps
/// an exact table of what a color is made of (the color before and the sorted colors of the neighbors).
///
/// A self-loop makes a vertex its own neighbor. Edge labels enter with kernel.edge_labels only. A graph without
/// node labels has one initial color, which is not that of any label. Coloring takes
/// O(iterations · (n + m log degree)) on average; memory: the tables, at most 4 (2 n + 2 m) bytes per round and
/// graph.
class VertexColors {
 public:
  explicit VertexColors(const Kernel& kernel);

  /// The color of v in round t at t · n + v. New colors are added to the tables.
  std::vector<std::uint32_t> add(const Graph& g);
  /// The same with the tables as they are: kNoColor for colors they do not hold. Safe from several threads.
  std::vector<std::uint32_t> find(const Graph& g) const;

  int num_rounds() const { return kernel_.iterations + 1; }
  const WordTable& round(int t) const { return rounds_[static_cast<std::size_t>(t)]; }
  std::uint64_t bytes() const;

  /// From tables as round() gave them, one per round. Throws InputError if a signature names a color that the
  /// round before does not have.
  static VertexColors from_tables(const Kernel& kernel, std::vector<WordTable> rounds,
                                  const std::string& source);

 private:
  template <typename Intern>
  std::vector<std::uint32_t> color(const Graph& g, const Intern& intern) const;

  Kernel kernel_;
  std::vector<WordTable> rounds_;
};

}  // namespace twofold::gram
