#pragma once

#include <cstdint>
#include <vector>

#include "twofold/pairs/pair_set.h"

namespace twofold::pairs {

/// How the rows of one level come from the rows of the level before: the general form of a convolution.
///
/// Each row has its own row there, whose features it goes on with, and triples (a, b) there, each counted so
/// and so often. A PairSet is the case where both levels are the same, every row is its own and every triple
/// counts once; where rows of equal color are kept only once, the levels differ.
struct Level {
  // Rows of the level before.
  std::size_t num_sources = 0;
  // One a row: a source.
  std::vector<Row> own;
  // One more than there are rows, ascending from 0: positions in the next two.
  std::vector<std::uint64_t> offsets = {0};
  // Pairs of sources.
  std::vector<RowPair> triples;
  // Parallel to triples: how often each counts.
  std::vector<std::uint32_t> multiplicity;
  // The same turned around, for gradients. num_sources + 1 ascending positions in the next two; a source's
  // entries are ordered by (row, partner as the triples come).
  std::vector<std::uint64_t> reverse_offsets = {0};
  // a: a row that reads this source; b: the source read together with it.
  std::vector<RowPair> reverse;
  // Parallel to reverse. A triple (a, a) is one entry of twice its multiplicity.
  std::vector<std::uint32_t> reverse_multiplicity;

  std::size_t num_rows() const { return own.size(); }
  /// Throws CheckError unless every sentence above holds. O(size).
  void check() const;
};

/// Fills in the reverse lists from the others. O(triples + sources).
void reverse_triples(Level& level);

/// The level that a set is: own row itself, every multiplicity 1, reverse lists filled in.
Level plain_level(const PairSet& set);

}  // namespace twofold::pairs
