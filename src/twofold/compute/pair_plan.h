#pragma once

#include <cstdint>
#include <vector>

#include "twofold/pairs/level.h"
#include "twofold/pairs/pair_batch.h"

namespace twofold::compute {

/// The forms of the loop over triples; pair_plan.cpp says which is taken when.
enum class PairForm : std::uint8_t {
  kLists,     // triples as a list per row, stored or put together from two balls row by row
  kComplete,  // every pair of nodes is a row: no list at all, a blocked loop over (i, j, l)
  kWeighted,  // the rows of another level, triples with multiplicities
};

/// One graph of a batch (`set`), or one level of colors (`level`); the other is null.
struct PairBlock {
  PairForm form = PairForm::kLists;
  const pairs::PairSet* set = nullptr;
  const pairs::Level* level = nullptr;
  // Where its rows begin among all rows, and its sources among all sources. The same for a set.
  std::uint64_t first_row = 0;
  std::uint64_t first_source = 0;

  std::size_t num_rows() const { return set != nullptr ? set->num_rows() : level->num_rows(); }
  std::size_t num_sources() const { return set != nullptr ? set->num_rows() : level->num_sources; }
};

/// What one thread does at a time: whole blocks, or one part of one block (by nodes for a set, by rows for a
/// level). Borders depend on the blocks alone, never on the number of threads.
struct PairItem {
  std::uint32_t block_begin = 0;
  std::uint32_t block_end = 0;
  // Of one block alone; part_begin == part_end == 0 if whole blocks are meant. [begin, end) of nodes, or of
  // rows.
  std::uint32_t part_begin = 0;
  std::uint32_t part_end = 0;

  bool is_part() const { return part_end != part_begin; }
};

/// A batch cut into work. It refers to the sets and levels, which must outlive it.
struct PairPlan {
  std::vector<PairBlock> blocks;
  std::vector<PairItem> items;
  // Blocks that are cut into several items, ascending.
  std::vector<std::uint32_t> cut_blocks;
  std::uint64_t num_rows = 0;
  std::uint64_t num_sources = 0;
  std::uint64_t num_triples = 0;
};

/// O(graphs), and O(rows) of the few graphs that are cut.
PairPlan make_plan(const pairs::PairBatch& batch);
/// Levels side by side.
PairPlan make_plan(const std::vector<const pairs::Level*>& levels);

/// The form for a set, unless a test or a benchmark forces kLists (which fits every set).
PairForm choose_form(const pairs::PairSet& set);

/// Whether one thread finds the sums of all rows of the block, a few features at a time, and whether the
/// gradients go triangle by triangle, one thread for all rows as well. Else the rows are cut among threads.
/// Neither depends on anything but the block.
bool sums_by_features(const PairBlock& block);
bool gradients_by_triangles(const PairBlock& block);

}  // namespace twofold::compute
