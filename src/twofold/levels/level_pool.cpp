#include "twofold/levels/level_pool.h"

#include "twofold/base/error.h"

namespace twofold::levels {

using pairs::Row;

void pool_before(const LevelPool& after, Span<const Row> own, std::size_t num_rows, LevelPool& before) {
  const std::size_t num_graphs = after.num_graphs();
  // No graph has more rows than before: room for all, cut to size in the end.
  before.offsets.resize(num_graphs + 1);
  before.rows.resize(after.rows.size());
  before.counts.resize(after.rows.size());
  before.loops.resize(after.rows.size());
  if (before.places_.size() < num_rows) before.places_.resize(num_rows, 0);
  std::uint64_t* places = before.places_.data();
  const std::uint64_t first = before.next_place_;
  std::uint64_t size = before.offsets[0] = 0;
  for (std::size_t g = 0; g < num_graphs; ++g) {
    const std::uint64_t begin = first + size;
    for (std::uint64_t k = after.offsets[g]; k < after.offsets[g + 1]; ++k) {
      const Row row = own[after.rows[k]];
      if (places[row] >= begin) {
        const std::uint64_t at = places[row] - first;
        before.counts[at] += after.counts[k];
        before.loops[at] += after.loops[k];
      } else {
        places[row] = first + size;
        before.rows[size] = row;
        before.counts[size] = after.counts[k];
        before.loops[size] = after.loops[k];
        ++size;
      }
    }
    before.offsets[g + 1] = size;
  }
  before.next_place_ = first + size;
  before.rows.resize(size);
  before.counts.resize(size);
  before.loops.resize(size);
}

void count_rows(const LevelPool& pool, std::size_t num_rows, std::vector<std::uint64_t>& counts) {
  counts.assign(num_rows, 0);
  for (std::size_t k = 0; k < pool.rows.size(); ++k) counts[pool.rows[k]] += pool.counts[k];
}

void LevelPool::check(std::size_t num_rows) const {
  TWOFOLD_CHECK(!offsets.empty() && offsets.front() == 0 && offsets.back() == rows.size());
  TWOFOLD_CHECK(counts.size() == rows.size() && loops.size() == rows.size());
  std::vector<std::size_t> last_graph(num_rows, num_graphs());
  for (std::size_t g = 0; g < num_graphs(); ++g) {
    TWOFOLD_CHECK(offsets[g] <= offsets[g + 1] && offsets[g + 1] <= rows.size(), "graph {}", g);
    for (std::uint64_t k = offsets[g]; k < offsets[g + 1]; ++k) {
      TWOFOLD_CHECK(rows[k] < num_rows && last_graph[rows[k]] != g, "graph {}, row {}", g, rows[k]);
      last_graph[rows[k]] = g;
      TWOFOLD_CHECK(counts[k] > 0 && loops[k] <= counts[k], "graph {}, row {}", g, rows[k]);
    }
  }
}

}  // namespace twofold::levels
