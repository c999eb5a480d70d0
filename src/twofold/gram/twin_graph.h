#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"

namespace twofold::gram {

/// A graph whose twins (graph/twins.h) are put together: nodes with the same label, self-loop and neighbors,
/// the other one left out. Exchanging two of them changes nothing, so whatever does not depend on numbering
/// treats them alike. The leaves of a hub are twins, and so are the members of a clique that know nobody else.
///
/// Between two classes there are all edges or none.
struct TwinGraph {
  // Sizes of the classes.
  std::vector<std::uint64_t> sizes;
  // One node of each, the smallest; ascending.
  std::vector<Node> members;
  // Whether the nodes of a class of two and more are adjacent to each other.
  std::vector<bool> is_clique;
  // The class of each node.
  std::vector<std::uint32_t> class_of;
  // num_classes() + 1 ascending positions in neighbors_.
  std::vector<std::uint32_t> offsets;
  // Adjacent classes, ascending, never the class itself.
  std::vector<std::uint32_t> neighbors_;

  std::size_t num_classes() const { return sizes.size(); }
  Span<const std::uint32_t> neighbors(std::size_t c) const {
    return {neighbors_.data() + offsets[c], offsets[c + 1] - offsets[c]};
  }
};

/// O((n + m) log n). With `edge_labels` twins also agree in the labels of their edges, and adjacent ones are
/// not put together.
TwinGraph twin_graph(const Graph& g, bool edge_labels);

}  // namespace twofold::gram
