#pragma once

#include <cstdint>
#include <vector>

#include "twofold/pairs/pair_set.h"

namespace twofold::pairs {

/// How the rows of one level come from rows of levels before: the general form of a convolution.
///
/// Each row has its own row there, whose features it goes on with, and items there, each counted so and so
/// often: Item is RowPair where a layer adds up triples (a, b), and Row where it adds up neighbors. A PairSet
/// is the case where both levels are the same, every row is its own and every triple counts once; where rows of
/// equal color are kept only once, the levels differ.
template <typename Item>
struct LevelOf {
  // Rows of the level before.
  std::size_t num_sources = 0;
  // One per row: the row it goes on from, on the level before unless told otherwise. Or empty.
  std::vector<Row> own;
  // One more than there are rows, ascending from 0: positions in the next two.
  std::vector<std::uint64_t> offsets = {0};
  // Sources, or pairs of sources.
  std::vector<Item> items;
  // Parallel to items: how often each counts.
  std::vector<std::uint32_t> multiplicity;

  std::size_t num_rows() const { return offsets.size() - 1; }
  /// Throws CheckError unless every sentence above holds, with own rows on a level of num_own rows. O(size).
  void check(std::size_t num_own) const;
};

/// Of triples.
using Level = LevelOf<RowPair>;

}  // namespace twofold::pairs
