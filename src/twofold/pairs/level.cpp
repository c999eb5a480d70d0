#include "twofold/pairs/level.h"

#include <numeric>

#include "twofold/base/error.h"
#include "twofold/pairs/triple_scan.h"

namespace twofold::pairs {
namespace {

// Calls visit(source, entry, multiplicity) for all reverse entries, row by row.
template <typename Visit>
void for_each_reverse(const Level& level, const Visit& visit) {
  for (std::size_t row = 0; row < level.num_rows(); ++row)
    for (std::uint64_t k = level.offsets[row]; k < level.offsets[row + 1]; ++k) {
      const RowPair triple = level.items[k];
      const std::uint32_t times = level.multiplicity[k];
      const Row target = static_cast<Row>(row);
      if (triple.a == triple.b) {
        visit(triple.a, RowPair{target, triple.b}, 2 * times);
      } else {
        visit(triple.a, RowPair{target, triple.b}, times);
        visit(triple.b, RowPair{target, triple.a}, times);
      }
    }
}

bool is_below(Row row, std::size_t limit) { return row < limit; }
bool is_below(RowPair pair, std::size_t limit) { return pair.a < limit && pair.b < limit; }

}  // namespace

void reverse_triples(Level& level) {
  level.reverse_offsets.assign(level.num_sources + 1, 0);
  for_each_reverse(level, [&](Row source, RowPair, std::uint32_t) { ++level.reverse_offsets[source + 1]; });
  std::partial_sum(level.reverse_offsets.begin(), level.reverse_offsets.end(), level.reverse_offsets.begin());
  level.reverse.resize(level.reverse_offsets.back());
  level.reverse_multiplicity.resize(level.reverse_offsets.back());
  std::vector<std::uint64_t> end(level.reverse_offsets.begin(), level.reverse_offsets.end() - 1);
  for_each_reverse(level, [&](Row source, RowPair entry, std::uint32_t times) {
    const std::uint64_t at = end[source]++;
    level.reverse[at] = entry;
    level.reverse_multiplicity[at] = times;
  });
}

Level plain_level(const PairSet& set) {
  Level level;
  level.num_sources = set.num_rows();
  level.own.resize(set.num_rows());
  std::iota(level.own.begin(), level.own.end(), Row{0});
  std::vector<std::vector<RowPair>> of_row(set.num_rows());
  TripleScan scan;
  scan.begin(set);
  for (Node i = 0; i < set.num_nodes(); ++i)
    scan.rows_of(
        i, [&](Row row, Span<const RowPair> triples) { of_row[row].assign(triples.begin(), triples.end()); });
  for (const std::vector<RowPair>& triples : of_row) {
    level.items.insert(level.items.end(), triples.begin(), triples.end());
    level.offsets.push_back(level.items.size());
  }
  level.multiplicity.assign(level.items.size(), 1);
  reverse_triples(level);
  return level;
}

template <typename Item>
void LevelOf<Item>::check(std::size_t num_own) const {
  TWOFOLD_CHECK(!offsets.empty() && offsets.front() == 0 && offsets.back() == items.size());
  TWOFOLD_CHECK(multiplicity.size() == items.size());
  TWOFOLD_CHECK(own.empty() || own.size() == num_rows());
  for (std::size_t row = 0; row < num_rows(); ++row)
    TWOFOLD_CHECK(offsets[row] <= offsets[row + 1], "row {}", row);
  for (std::size_t row = 0; row < own.size(); ++row) TWOFOLD_CHECK(own[row] < num_own, "row {}", row);
  for (std::size_t k = 0; k < items.size(); ++k)
    TWOFOLD_CHECK(is_below(items[k], num_sources), "item {} of {} sources", k, num_sources);
}

template struct LevelOf<Row>;
template struct LevelOf<RowPair>;

void Level::check() const {
  LevelOf<RowPair>::check(num_sources);
  TWOFOLD_CHECK(own.size() == num_rows());
  Level again = *this;
  reverse_triples(again);
  TWOFOLD_CHECK(again.reverse_offsets == reverse_offsets && again.reverse == reverse &&
                again.reverse_multiplicity == reverse_multiplicity);
}

}  // namespace twofold::pairs
