#include "twofold/pairs/level.h"

#include <numeric>

#include "twofold/base/error.h"
#include "twofold/pairs/triple_scan.h"

namespace twofold::pairs {
namespace {

bool is_below(Row row, std::size_t limit) { return row < limit; }
bool is_below(RowPair pair, std::size_t limit) { return pair.a < limit && pair.b < limit; }

}  // namespace

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

}  // namespace twofold::pairs
