#include "twofold/pairs/level.h"

#include "twofold/base/error.h"

namespace twofold::pairs {
namespace {

bool is_below(Row row, std::size_t limit) { return row < limit; }
bool is_below(RowPair pair, std::size_t limit) { return pair.a < limit && pair.b < limit; }

}  // namespace

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
