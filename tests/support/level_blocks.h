#pragma once

#include <algorithm>
#include <vector>

#include "twofold/levels/levels.h"

namespace twofold::testing {

/// Whether all arrays have the same values.
template <typename Item>
bool is_same(const levels::Levels<Item>& a, const levels::Levels<Item>& b) {
  if (a.levels.size() != b.levels.size()) return false;
  for (std::size_t k = 0; k < a.levels.size(); ++k)
    if (!(a.levels[k].own == b.levels[k].own && a.levels[k].origin == b.levels[k].origin &&
          a.levels[k].offsets == b.levels[k].offsets && a.levels[k].items == b.levels[k].items &&
          a.levels[k].multiplicity == b.levels[k].multiplicity))
      return false;
  return a.initial == b.initial && a.pool_offsets == b.pool_offsets && a.pool_rows == b.pool_rows &&
         a.pool_counts == b.pool_counts && a.pool_loops == b.pool_loops && a.graph_rows == b.graph_rows &&
         a.graph_items == b.graph_items && a.loop_rows == b.loop_rows && a.pair_rows == b.pair_rows;
}

/// Gives a builder the graphs in blocks that it cannot look at again.
template <typename Item>
void add_in_blocks(levels::LevelBuilder<Item>& builder, const std::vector<Graph>& graphs, std::size_t size) {
  for (std::size_t begin = 0; begin < graphs.size(); begin += size) {
    const std::size_t end = std::min(begin + size, graphs.size());
    const std::vector<Graph> block(graphs.begin() + static_cast<std::ptrdiff_t>(begin),
                                   graphs.begin() + static_cast<std::ptrdiff_t>(end));
    builder.add(block);
  }
}

}  // namespace twofold::testing
