#include "twofold/levels/level_cutter.h"

#include "twofold/base/error.h"

namespace twofold::levels {

LevelCutter::LevelCutter(const ColorLevels& levels) : levels_(levels) {
  for (const ColorLevel& level : levels.levels) number_.emplace_back(level.num_rows(), pairs::kNoRow);
}

inline Row LevelCutter::number(std::size_t level, Row row, std::vector<Row>& rows) {
  Row& known = number_[level][row];
  if (known == pairs::kNoRow) {
    known = static_cast<Row>(rows.size());
    rows.push_back(row);
  }
  return known;
}

void LevelCutter::cut(Span<const std::size_t> graphs, BatchLevels& batch, bool reverse) {
  const std::size_t rounds = levels_.num_rounds();
  batch.levels.resize(rounds);
  batch.rows.resize(rounds + 1);
  batch.origins.resize(rounds + 1);
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
      batch.pool_rows.push_back(number(rounds, levels_.pool_rows[at], batch.rows[rounds]));
      batch.pool_counts.push_back(levels_.pool_counts[at]);
      batch.pool_loops.push_back(levels_.pool_loops[at]);
      loops += levels_.pool_loops[at];
    }
    batch.pool_offsets.push_back(batch.pool_rows.size());
    batch.graph_rows.push_back(levels_.graph_rows[g]);
    batch.graph_loops.push_back(loops);
  }
  for (std::size_t k = rounds; k > 0; --k) cut_level(k, batch);
  for (std::size_t k = 0; k <= rounds; ++k) {
    // Where a row began: its number on level 0 is known by now, whoever brought it in.
    const Span<const Row> origin = levels_.levels[k].origin;
    batch.origins[k].resize(batch.rows[k].size());
    for (std::size_t row = 0; row < batch.rows[k].size(); ++row)
      batch.origins[k][row] = number_[0][origin[batch.rows[k][row]]];
  }
  for (std::size_t k = 0; k <= rounds; ++k)
    for (const Row row : batch.rows[k]) number_[k][row] = pairs::kNoRow;
  for (pairs::Level& level : batch.levels) {
    if (reverse) {
      reverse_level(level);
    } else {
      level.reverse_offsets.clear();
      level.reverse.clear();
      level.reverse_multiplicity.clear();
    }
  }
}

void LevelCutter::cut_level(std::size_t k, BatchLevels& batch) {
  const ColorLevel& source = levels_.levels[k];
  pairs::Level& level = batch.levels[k - 1];
  const std::vector<Row>& rows = batch.rows[k];
  std::vector<Row>& below = batch.rows[k - 1];
  level.own.resize(rows.size());
  level.offsets.resize(rows.size() + 1);
  level.offsets[0] = 0;
  std::uint64_t count = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    count += source.offsets[rows[row] + std::size_t{1}] - source.offsets[rows[row]];
    level.offsets[row + 1] = count;
  }
  level.triples.resize(count);
  level.multiplicity.resize(count);
  RowPair* triple = level.triples.data();
  std::uint32_t* times = level.multiplicity.data();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Row from = rows[row];
    level.own[row] = number(k - 1, source.own[from], below);
    const std::uint64_t end = source.offsets[from + std::size_t{1}];
    for (std::uint64_t at = source.offsets[from]; at < end; ++at) {
      const RowPair pair = source.triples[at];
      const Row a = number(k - 1, pair.a, below);
      *triple++ = {a, number(k - 1, pair.b, below)};
      *times++ = source.multiplicity[at];
    }
  }
  level.num_sources = below.size();
}

// As pairs::reverse_triples, in memory that is kept.
void LevelCutter::reverse_level(pairs::Level& level) {
  std::vector<std::uint64_t>& offsets = level.reverse_offsets;
  offsets.assign(level.num_sources + 1, 0);
  for (const RowPair triple : level.triples) {
    ++offsets[triple.a + std::size_t{1}];
    offsets[triple.b + std::size_t{1}] += triple.a != triple.b;
  }
  reverse_end_.resize(level.num_sources + 1);
  std::uint64_t sum = 0;
  for (std::size_t source = 0; source < level.num_sources; ++source) {
    reverse_end_[source] = sum;
    sum += offsets[source + 1];
    offsets[source + 1] = sum;
  }
  level.reverse.resize(sum);
  level.reverse_multiplicity.resize(sum);
  std::uint64_t at = 0;
  for (std::size_t row = 0; row < level.num_rows(); ++row)
    for (; at < level.offsets[row + 1]; ++at) {
      const RowPair triple = level.triples[at];
      const std::uint32_t times = level.multiplicity[at];
      const bool is_one = triple.a == triple.b;
      const std::uint64_t first = reverse_end_[triple.a]++;
      level.reverse[first] = {static_cast<Row>(row), triple.b};
      level.reverse_multiplicity[first] = is_one ? 2 * times : times;
      if (is_one) continue;
      const std::uint64_t second = reverse_end_[triple.b]++;
      level.reverse[second] = {static_cast<Row>(row), triple.a};
      level.reverse_multiplicity[second] = times;
    }
}

void BatchLevels::check() const {
  TWOFOLD_CHECK(rows.size() == levels.size() + 1 && origins.size() == rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    TWOFOLD_CHECK(origins[k].size() == rows[k].size(), "level {}", k);
    if (k == 0) {
      for (std::size_t row = 0; row < rows[0].size(); ++row)
        TWOFOLD_CHECK(origins[0][row] == row, "row {}", row);
      continue;
    }
    const pairs::Level& level = levels[k - 1];
    TWOFOLD_CHECK(level.num_rows() == rows[k].size() && level.num_sources == rows[k - 1].size(), "level {}", k);
    if (!level.reverse_offsets.empty()) level.check();
    for (std::size_t row = 0; row < rows[k].size(); ++row)
      TWOFOLD_CHECK(origins[k][row] == origins[k - 1][level.own[row]], "level {}, row {}", k, row);
  }
  TWOFOLD_CHECK(pool_offsets.front() == 0 && pool_offsets.back() == pool_rows.size());
  TWOFOLD_CHECK(pool_counts.size() == pool_rows.size() && pool_loops.size() == pool_rows.size());
  TWOFOLD_CHECK(graph_rows.size() == num_graphs() && graph_loops.size() == num_graphs());
  for (std::size_t g = 0; g < num_graphs(); ++g) {
    TWOFOLD_CHECK(pool_offsets[g] <= pool_offsets[g + 1], "graph {}", g);
    std::uint64_t pairs = 0;
    std::uint64_t loops = 0;
    for (std::uint64_t at = pool_offsets[g]; at < pool_offsets[g + 1]; ++at) {
      TWOFOLD_CHECK(pool_rows[at] < rows.back().size() && pool_loops[at] <= pool_counts[at], "graph {}", g);
      pairs += pool_counts[at];
      loops += pool_loops[at];
    }
    TWOFOLD_CHECK(pairs == graph_rows[g] && loops == graph_loops[g], "graph {}", g);
  }
}

}  // namespace twofold::levels
