#include "twofold/levels/level_cutter.h"

#include <algorithm>

#include "twofold/base/error.h"

namespace twofold::levels {
namespace {

// Gives rows numbers by first sight. (Without a branch on what is new it was slower: most rows come many
// times.)
struct Numbering {
  Row* number;
  Row* found;
  std::size_t count;

  Row operator()(Row row) {
    const Row known = number[row];
    if (known != pairs::kNoRow) return known;
    found[count] = row;
    return number[row] = static_cast<Row>(count++);
  }
  RowPair operator()(RowPair pair) {
    const Row a = (*this)(pair.a);
    return {a, (*this)(pair.b)};
  }
};

// Room for values that are all written next: those of the batch before are given back first, not moved.
template <typename V>
void make_room(std::vector<V>& values, std::size_t size) {
  if (size > values.capacity()) {
    std::vector<V>().swap(values);
    values.reserve(size + size / 8);
  }
  values.resize(size);
}

}  // namespace

template <typename Item>
Cutter<Item>::Cutter(const Levels<Item>& levels) : levels_(levels), found_count_(levels.levels.size(), 0) {
  for (const auto& level : levels.levels) {
    number_.emplace_back(level.num_rows(), pairs::kNoRow);
    found_.emplace_back(level.num_rows());
  }
}

template <typename Item>
void Cutter<Item>::cut(Span<const std::size_t> graphs, BatchLevels<Item>& batch) {
  const std::size_t last = levels_.levels.size() - 1;
  for (const std::size_t g : graphs)
    TWOFOLD_CHECK(g < levels_.num_graphs(), "graph {} of {}", g, levels_.num_graphs());
  batch.levels_per_round = levels_.levels_per_round;
  batch.levels.resize(last);
  batch.rows.resize(last + 1);
  batch.origins.resize(last + 1);
  std::fill(found_count_.begin(), found_count_.end(), std::size_t{0});
  cut_pool(graphs, batch);
  for (std::size_t k = last; k > 0; --k) cut_level(k, batch);
  for (std::size_t k = 0; k <= last; ++k) {
    const Row* found = found_[k].data();
    const std::size_t count = found_count_[k];
    batch.rows[k].assign(found, found + count);
    batch.origins[k].resize(levels_.has_own(k) ? count : 0);
    // Where a row began: its number on level 0 is known by now, whoever brought it in.
    const Row* origin = levels_.levels[k].origin.data();
    for (std::size_t row = 0; row < batch.origins[k].size(); ++row)
      batch.origins[k][row] = number_[0][origin[found[row]]];
  }
  for (std::size_t k = 0; k <= last; ++k)
    for (const Row row : batch.rows[k]) number_[k][row] = pairs::kNoRow;
}

template <typename Item>
void Cutter<Item>::cut_pool(Span<const std::size_t> graphs, BatchLevels<Item>& batch) {
  const std::size_t last = levels_.levels.size() - 1;
  batch.pool_offsets.resize(graphs.size() + 1);
  batch.graph_rows.resize(graphs.size());
  batch.graph_loops.resize(graphs.size());
  std::uint64_t size = batch.pool_offsets[0] = 0;
  for (std::size_t k = 0; k < graphs.size(); ++k) {
    size += levels_.pool_offsets[graphs[k] + 1] - levels_.pool_offsets[graphs[k]];
    batch.pool_offsets[k + 1] = size;
    batch.graph_rows[k] = levels_.graph_rows[graphs[k]];
  }
  batch.pool_rows.resize(size);
  batch.pool_counts.resize(size);
  batch.pool_loops.resize(size);
  Numbering number{number_[last].data(), found_[last].data(), 0};
  for (std::size_t k = 0; k < graphs.size(); ++k) {
    const std::uint64_t from = levels_.pool_offsets[graphs[k]];
    const std::uint64_t to = batch.pool_offsets[k];
    std::uint64_t loops = 0;
    for (std::uint64_t at = 0; at < batch.pool_offsets[k + 1] - to; ++at) {
      batch.pool_rows[to + at] = number(levels_.pool_rows[from + at]);
      batch.pool_counts[to + at] = levels_.pool_counts[from + at];
      batch.pool_loops[to + at] = levels_.pool_loops[from + at];
      loops += levels_.pool_loops[from + at];
    }
    batch.graph_loops[k] = loops;
  }
  found_count_[last] = number.count;
}

template <typename Item>
void Cutter<Item>::cut_level(std::size_t k, BatchLevels<Item>& batch) {
  const auto& source = levels_.levels[k];
  auto& level = batch.levels[k - 1];
  const Row* rows = found_[k].data();
  const std::size_t num_rows = found_count_[k];
  level.offsets.resize(num_rows + 1);
  level.offsets[0] = 0;
  std::uint64_t size = 0;
  for (std::size_t row = 0; row < num_rows; ++row) {
    size += source.offsets[rows[row] + std::size_t{1}] - source.offsets[rows[row]];
    level.offsets[row + 1] = size;
  }
  level.own.resize(levels_.has_own(k) ? num_rows : 0);
  make_room(level.items, size);
  make_room(level.multiplicity, size);
  Row* own = level.own.data();
  // Own rows further down have numbers of another level, so they may all come first.
  const bool has_near_own = levels_.levels_per_round == 1;
  if (levels_.has_own(k) && !has_near_own) {
    const std::size_t earlier = k - levels_.levels_per_round;
    Numbering number{number_[earlier].data(), found_[earlier].data(), found_count_[earlier]};
    for (std::size_t row = 0; row < num_rows; ++row) own[row] = number(source.own[rows[row]]);
    found_count_[earlier] = number.count;
  }
  Item* item = level.items.data();
  std::uint32_t* times = level.multiplicity.data();
  Numbering number{number_[k - 1].data(), found_[k - 1].data(), found_count_[k - 1]};
  for (std::size_t row = 0; row < num_rows; ++row) {
    const Row from = rows[row];
    if (has_near_own) own[row] = number(source.own[from]);
    const std::uint64_t end = source.offsets[from + std::size_t{1}];
    for (std::uint64_t at = source.offsets[from]; at < end; ++at) {
      *item++ = number(source.items[at]);
      *times++ = source.multiplicity[at];
    }
  }
  found_count_[k - 1] = number.count;
  level.num_sources = number.count;
}

template <typename Item>
void BatchLevels<Item>::check() const {
  TWOFOLD_CHECK(levels_per_round == 1 || levels_per_round == 2, "{} levels per round", levels_per_round);
  TWOFOLD_CHECK(rows.size() == levels.size() + 1 && origins.size() == rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    TWOFOLD_CHECK(origins[k].size() == (has_own(k) ? rows[k].size() : 0), "level {}", k);
    if (k == 0) {
      for (std::size_t row = 0; row < rows[0].size(); ++row)
        TWOFOLD_CHECK(origins[0][row] == row, "row {}", row);
      continue;
    }
    const pairs::LevelOf<Item>& level = levels[k - 1];
    TWOFOLD_CHECK(level.num_rows() == rows[k].size() && level.num_sources == rows[k - 1].size(), "level {}", k);
    TWOFOLD_CHECK(level.own.size() == (has_own(k) ? rows[k].size() : 0), "level {}", k);
    level.check(has_own(k) ? rows[k - levels_per_round].size() : 0);
    for (std::size_t row = 0; row < level.own.size(); ++row)
      TWOFOLD_CHECK(origins[k][row] == origins[k - levels_per_round][level.own[row]], "level {}, row {}", k,
                    row);
  }
  TWOFOLD_CHECK(pool_offsets.front() == 0 && pool_offsets.back() == pool_rows.size());
  TWOFOLD_CHECK(pool_counts.size() == pool_rows.size() && pool_loops.size() == pool_rows.size());
  TWOFOLD_CHECK(graph_rows.size() == num_graphs() && graph_loops.size() == num_graphs());
  for (std::size_t g = 0; g < num_graphs(); ++g) {
    TWOFOLD_CHECK(pool_offsets[g] <= pool_offsets[g + 1], "graph {}", g);
    std::uint64_t all = 0;
    std::uint64_t loops = 0;
    for (std::uint64_t at = pool_offsets[g]; at < pool_offsets[g + 1]; ++at) {
      TWOFOLD_CHECK(pool_rows[at] < rows.back().size() && pool_loops[at] <= pool_counts[at], "graph {}", g);
      all += pool_counts[at];
      loops += pool_loops[at];
    }
    TWOFOLD_CHECK(all == graph_rows[g] && loops == graph_loops[g], "graph {}", g);
  }
}

template struct BatchLevels<RowPair>;
template struct BatchLevels<Row>;
template class Cutter<RowPair>;
template class Cutter<Row>;

}  // namespace twofold::levels
