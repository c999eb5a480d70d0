#include "twofold/levels/neighbor_cutter.h"

#include "twofold/base/error.h"

namespace twofold::levels {

NeighborCutter::NeighborCutter(const NeighborLevels& levels) : levels_(levels) {
  for (const NeighborColorLevel& level : levels.levels) number_.emplace_back(level.num_rows(), pairs::kNoRow);
}

inline Row NeighborCutter::number(std::size_t level, Row row, std::vector<Row>& rows) {
  Row& known = number_[level][row];
  if (known == pairs::kNoRow) {
    known = static_cast<Row>(rows.size());
    rows.push_back(row);
  }
  return known;
}

void NeighborCutter::cut(Span<const std::size_t> graphs, NeighborBatch& batch, bool reverse) {
  const std::size_t last = levels_.levels.size() - 1;
  batch.kind = levels_.kind;
  batch.levels.resize(last);
  batch.rows.resize(last + 1);
  batch.origins.resize(last + 1);
  for (std::vector<Row>& rows : batch.rows) rows.clear();
  batch.pool_offsets.assign(1, 0);
  batch.pool_rows.clear();
  batch.pool_counts.clear();
  batch.pool_loops.clear();
  batch.graph_rows.clear();
  batch.graph_loops.clear();
  for (const std::size_t g : graphs) {
    TWOFOLD_CHECK(g < levels_.num_graphs(), "graph {} of {}", g, levels_.num_graphs());
    std::uint64_t loops = 0;
    for (std::uint64_t at = levels_.pool_offsets[g]; at < levels_.pool_offsets[g + 1]; ++at) {
      batch.pool_rows.push_back(number(last, levels_.pool_rows[at], batch.rows[last]));
      batch.pool_counts.push_back(levels_.pool_counts[at]);
      batch.pool_loops.push_back(levels_.pool_loops[at]);
      loops += levels_.pool_loops[at];
    }
    batch.pool_offsets.push_back(batch.pool_rows.size());
    batch.graph_rows.push_back(levels_.graph_rows[g]);
    batch.graph_loops.push_back(loops);
  }
  for (std::size_t k = last; k > 0; --k) cut_level(k, batch);
  for (std::size_t k = 0; k <= last; ++k) {
    // Own rows are on level k - 1 or k - 2, which others may still have added to when level k was cut.
    if (k > 0) {
      batch.levels[k - 1].num_sources = batch.rows[k - 1].size();
      batch.levels[k - 1].num_own = levels_.has_own(k) ? batch.rows[k - levels_.levels_a_round()].size() : 0;
    }
    const Span<const Row> origin = levels_.levels[k].origin;
    batch.origins[k].resize(levels_.has_own(k) ? batch.rows[k].size() : 0);
    for (std::size_t row = 0; row < batch.origins[k].size(); ++row)
      batch.origins[k][row] = number_[0][origin[batch.rows[k][row]]];
  }
  for (std::size_t k = 0; k <= last; ++k)
    for (const Row row : batch.rows[k]) number_[k][row] = pairs::kNoRow;
  for (NeighborLevel& level : batch.levels) {
    if (reverse) {
      reverse_level(level);
    } else {
      level.reverse_offsets.clear();
      level.reverse.clear();
      level.reverse_multiplicity.clear();
    }
  }
}

void NeighborCutter::cut_level(std::size_t k, NeighborBatch& batch) {
  const NeighborColorLevel& from = levels_.levels[k];
  NeighborLevel& level = batch.levels[k - 1];
  const std::vector<Row>& rows = batch.rows[k];
  std::vector<Row>& below = batch.rows[k - 1];
  level.own.resize(levels_.has_own(k) ? rows.size() : 0);
  const std::size_t own_level = levels_.has_own(k) ? k - levels_.levels_a_round() : 0;
  level.offsets.resize(rows.size() + 1);
  level.offsets[0] = 0;
  for (std::size_t row = 0; row < rows.size(); ++row)
    level.offsets[row + 1] =
        level.offsets[row] + from.offsets[rows[row] + std::size_t{1}] - from.offsets[rows[row]];
  level.sources.resize(level.offsets[rows.size()]);
  level.multiplicity.resize(level.sources.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!level.own.empty()) level.own[row] = number(own_level, from.own[rows[row]], batch.rows[own_level]);
    std::uint64_t at = from.offsets[rows[row]];
    for (std::uint64_t to = level.offsets[row]; to < level.offsets[row + 1]; ++to, ++at) {
      level.sources[to] = number(k - 1, from.sources[at], below);
      level.multiplicity[to] = from.multiplicity[at];
    }
  }
}

void NeighborCutter::reverse_level(NeighborLevel& level) {
  std::vector<std::uint64_t>& offsets = level.reverse_offsets;
  offsets.assign(level.num_sources + 1, 0);
  for (const Row source : level.sources) ++offsets[source + std::size_t{1}];
  reverse_end_.resize(level.num_sources);
  for (std::size_t source = 0; source < level.num_sources; ++source) {
    reverse_end_[source] = offsets[source];
    offsets[source + 1] += offsets[source];
  }
  level.reverse.resize(level.sources.size());
  level.reverse_multiplicity.resize(level.sources.size());
  for (std::size_t row = 0; row < level.num_rows(); ++row)
    for (std::uint64_t at = level.offsets[row]; at < level.offsets[row + 1]; ++at) {
      const std::uint64_t to = reverse_end_[level.sources[at]]++;
      level.reverse[to] = static_cast<Row>(row);
      level.reverse_multiplicity[to] = level.multiplicity[at];
    }
}

void NeighborLevel::check() const {
  TWOFOLD_CHECK(own.empty() || own.size() == num_rows());
  for (const Row row : own) TWOFOLD_CHECK(row < num_own);
  TWOFOLD_CHECK(offsets.front() == 0 && offsets.back() == sources.size() &&
                multiplicity.size() == sources.size());
  std::size_t at_reverse = 0;
  const bool has_reverse = !reverse_offsets.empty();
  if (has_reverse) {
    TWOFOLD_CHECK(reverse_offsets.size() == num_sources + 1 && reverse_offsets.front() == 0 &&
                  reverse_offsets.back() == sources.size());
    TWOFOLD_CHECK(reverse.size() == sources.size() && reverse_multiplicity.size() == sources.size());
  }
  std::vector<std::uint64_t> next(reverse_offsets.begin(), reverse_offsets.end());
  for (std::size_t row = 0; row < num_rows(); ++row) {
    TWOFOLD_CHECK(offsets[row] <= offsets[row + 1], "row {}", row);
    for (std::uint64_t at = offsets[row]; at < offsets[row + 1]; ++at) {
      TWOFOLD_CHECK(sources[at] < num_sources, "row {}", row);
      if (!has_reverse) continue;
      const std::uint64_t back = next[sources[at]]++;
      TWOFOLD_CHECK(back < reverse_offsets[sources[at] + std::size_t{1}] && reverse[back] == row &&
                        reverse_multiplicity[back] == multiplicity[at],
                    "row {}", row);
      ++at_reverse;
    }
  }
  TWOFOLD_CHECK(!has_reverse || at_reverse == sources.size());
}

void NeighborBatch::check() const {
  TWOFOLD_CHECK(rows.size() == levels.size() + 1 && origins.size() == rows.size());
  const std::size_t step = kind == NeighborRows::kEdges ? 2 : 1;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool has_own = k % step == 0;
    TWOFOLD_CHECK(origins[k].size() == (has_own ? rows[k].size() : 0), "level {}", k);
    if (k == 0) {
      for (std::size_t row = 0; row < rows[0].size(); ++row)
        TWOFOLD_CHECK(origins[0][row] == row, "row {}", row);
      continue;
    }
    const NeighborLevel& level = levels[k - 1];
    level.check();
    TWOFOLD_CHECK(level.num_rows() == rows[k].size() && level.num_sources == rows[k - 1].size(), "level {}", k);
    TWOFOLD_CHECK(level.num_own == (has_own ? rows[k - step].size() : 0), "level {}", k);
    TWOFOLD_CHECK(level.own.size() == (has_own ? rows[k].size() : 0), "level {}", k);
    for (std::size_t row = 0; row < level.own.size(); ++row)
      TWOFOLD_CHECK(origins[k][row] == origins[k - step][level.own[row]], "level {}, row {}", k, row);
  }
  TWOFOLD_CHECK(pool_offsets.front() == 0 && pool_offsets.back() == pool_rows.size());
  TWOFOLD_CHECK(pool_counts.size() == pool_rows.size() && pool_loops.size() == pool_rows.size());
  TWOFOLD_CHECK(graph_rows.size() == num_graphs() && graph_loops.size() == num_graphs());
  for (std::size_t g = 0; g < num_graphs(); ++g) {
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

}  // namespace twofold::levels
