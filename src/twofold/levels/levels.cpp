#include "twofold/levels/levels.h"

#include "twofold/base/error.h"

namespace twofold::levels {
namespace {

bool is_item(Row row, std::size_t num_sources) { return row < num_sources; }
bool is_item(RowPair pair, std::size_t num_sources) { return pair.a <= pair.b && pair.b < num_sources; }
bool is_less(Row x, Row y) { return x < y; }
bool is_less(RowPair x, RowPair y) { return x.a < y.a || (x.a == y.a && x.b < y.b); }

template <typename Item>
void check_level(const Levels<Item>& all, std::size_t k) {
  const typename Levels<Item>::Level& level = all.levels[k];
  TWOFOLD_CHECK(!level.offsets.empty(), "level {}", k);
  const std::size_t p = level.num_rows();
  TWOFOLD_CHECK(level.own.size() == (k > 0 && all.has_own(k) ? p : 0), "level {}", k);
  TWOFOLD_CHECK(level.origin.size() == (all.has_own(k) ? p : 0), "level {}", k);
  TWOFOLD_CHECK(level.offsets[0] == 0 && level.offsets[p] == level.items.size(), "level {}", k);
  TWOFOLD_CHECK(level.multiplicity.size() == level.items.size(), "level {}", k);
  for (std::size_t row = 0; row < p; ++row) {
    const std::uint64_t begin = level.offsets[row], end = level.offsets[row + 1];
    TWOFOLD_CHECK(begin <= end && end <= level.items.size(), "level {}, row {}", k, row);
    if (k == 0) {
      TWOFOLD_CHECK(level.origin[row] == row && end == 0, "row {}", row);
      continue;
    }
    if (all.has_own(k)) {
      const typename Levels<Item>::Level& earlier = all.levels[k - all.levels_per_round];
      TWOFOLD_CHECK(level.own[row] < earlier.num_rows() && level.origin[row] == earlier.origin[level.own[row]],
                    "level {}, row {}", k, row);
    }
    const std::size_t num_sources = all.levels[k - 1].num_rows();
    for (std::uint64_t at = begin; at < end; ++at) {
      TWOFOLD_CHECK(is_item(level.items[at], num_sources), "level {}, row {}", k, row);
      TWOFOLD_CHECK(at == begin || is_less(level.items[at - 1], level.items[at]), "level {}, row {}", k, row);
      TWOFOLD_CHECK(level.multiplicity[at] > 0 && level.multiplicity[at] <= 0x7fffffffu, "level {}, row {}", k,
                    row);
    }
  }
}

template <typename Item>
void check_pool(const Levels<Item>& all) {
  const std::size_t num_graphs = all.num_graphs();
  TWOFOLD_CHECK(all.pool_offsets.size() == num_graphs + 1 && all.graph_items.size() == num_graphs);
  TWOFOLD_CHECK(all.pool_offsets[0] == 0 && all.pool_offsets[num_graphs] == all.pool_rows.size());
  TWOFOLD_CHECK(all.pool_counts.size() == all.pool_rows.size() &&
                all.pool_loops.size() == all.pool_rows.size());
  for (std::size_t g = 0; g < num_graphs; ++g) {
    const std::uint64_t begin = all.pool_offsets[g], end = all.pool_offsets[g + 1];
    TWOFOLD_CHECK(begin <= end && end <= all.pool_rows.size(), "graph {}", g);
    std::uint64_t sum = 0;
    for (std::uint64_t at = begin; at < end; ++at) {
      TWOFOLD_CHECK(all.pool_rows[at] < all.levels.back().num_rows(), "graph {}", g);
      TWOFOLD_CHECK(at == begin || all.pool_rows[at - 1] < all.pool_rows[at], "graph {}", g);
      TWOFOLD_CHECK(all.pool_counts[at] > 0 && all.pool_loops[at] <= all.pool_counts[at], "graph {}", g);
      sum += all.pool_counts[at];
    }
    TWOFOLD_CHECK(sum == all.graph_rows[g], "graph {}", g);
  }
}

}  // namespace

template <typename Item>
std::uint64_t Levels<Item>::memory() const {
  std::uint64_t sum = initial.size() * sizeof(InitialRow) + pool_offsets.size() * 8 + pool_rows.size() * 16 +
                      graph_rows.size() * 16 + (loop_rows.size() + pair_rows.size()) * sizeof(Row);
  for (const Level& level : levels)
    sum += level.own.size() * 4 + level.origin.size() * 4 + level.offsets.size() * 8 +
           level.items.size() * (sizeof(Item) + 4);
  return sum;
}

template <typename Item>
void Levels<Item>::check() const {
  TWOFOLD_CHECK(levels_per_round == 1 || levels_per_round == 2, "{} levels per round", levels_per_round);
  TWOFOLD_CHECK(levels.size() % levels_per_round == 1 % levels_per_round, "{} levels", levels.size());
  TWOFOLD_CHECK(!levels.empty() && levels[0].own.empty());
  for (std::size_t k = 0; k < levels.size(); ++k) check_level(*this, k);
  TWOFOLD_CHECK(initial.size() == levels[0].num_rows());
  check_pool(*this);
  for (const Row row : pair_rows)
    TWOFOLD_CHECK(row == pairs::kNoRow || row < levels.back().num_rows(), "the pair's row {}", row);
  for (const Row row : loop_rows) TWOFOLD_CHECK(row < levels.back().num_rows(), "the loop's row {}", row);
}

template struct Levels<RowPair>;
template struct Levels<Row>;

}  // namespace twofold::levels
