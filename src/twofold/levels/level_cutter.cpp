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
};

}  // namespace

LevelCutter::LevelCutter(const ColorLevels& levels) : levels_(levels), found_count_(levels.levels.size(), 0) {
  std::size_t most = 0;
  for (const ColorLevel& level : levels.levels) {
    number_.emplace_back(level.num_rows(), pairs::kNoRow);
    found_.emplace_back(level.num_rows());
    most = std::max(most, level.num_rows());
  }
  reverse_count_.resize(most);
}

void LevelCutter::cut(Span<const std::size_t> graphs, BatchLevels& batch, bool reverse) {
  const std::size_t rounds = levels_.num_rounds();
  for (const std::size_t g : graphs)
    TWOFOLD_CHECK(g < levels_.num_graphs(), "graph {} of {}", g, levels_.num_graphs());
  batch.levels.resize(rounds);
  batch.rows.resize(rounds + 1);
  batch.origins.resize(rounds + 1);
  cut_pool(graphs, batch);
  for (std::size_t k = rounds; k > 0; --k) cut_level(k, batch, reverse);
  for (std::size_t k = 0; k <= rounds; ++k) {
    const Row* found = found_[k].data();
    const std::size_t count = found_count_[k];
    batch.rows[k].assign(found, found + count);
    batch.origins[k].resize(count);
    // Where a row began: its number on level 0 is known by now, whoever brought it in.
    const Row* origin = levels_.levels[k].origin.data();
    for (std::size_t row = 0; row < count; ++row) batch.origins[k][row] = number_[0][origin[found[row]]];
  }
  for (std::size_t k = 0; k <= rounds; ++k)
    for (const Row row : batch.rows[k]) number_[k][row] = pairs::kNoRow;
}

void LevelCutter::cut_pool(Span<const std::size_t> graphs, BatchLevels& batch) {
  const std::size_t last = levels_.num_rounds();
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

void LevelCutter::cut_level(std::size_t k, BatchLevels& batch, bool reverse) {
  const ColorLevel& source = levels_.levels[k];
  pairs::Level& level = batch.levels[k - 1];
  const Row* rows = found_[k].data();
  const std::size_t num_rows = found_count_[k];
  level.own.resize(num_rows);
  level.offsets.resize(num_rows + 1);
  level.offsets[0] = 0;
  std::uint64_t size = 0;
  for (std::size_t row = 0; row < num_rows; ++row) {
    size += source.offsets[rows[row] + std::size_t{1}] - source.offsets[rows[row]];
    level.offsets[row + 1] = size;
  }
  level.triples.resize(size);
  level.multiplicity.resize(size);
  RowPair* triple = level.triples.data();
  std::uint32_t* times = level.multiplicity.data();
  std::uint64_t* counts = reverse_count_.data();
  Numbering number{number_[k - 1].data(), found_[k - 1].data(), 0};
  const auto look_up = [&](Row row) {
    const std::size_t before = number.count;
    const Row given = number(row);
    if (given == before) counts[given] = 0;
    return given;
  };
  for (std::size_t row = 0; row < num_rows; ++row) {
    const Row from = rows[row];
    level.own[row] = look_up(source.own[from]);
    const std::uint64_t end = source.offsets[from + std::size_t{1}];
    for (std::uint64_t at = source.offsets[from]; at < end; ++at) {
      const RowPair pair = source.triples[at];
      const Row a = look_up(pair.a);
      const Row b = look_up(pair.b);
      *triple++ = {a, b};
      *times++ = source.multiplicity[at];
      ++counts[a];
      counts[b] += a != b;
    }
  }
  found_count_[k - 1] = number.count;
  level.num_sources = number.count;
  if (reverse) {
    reverse_level(level);
  } else {
    level.reverse_offsets.clear();
    level.reverse.clear();
    level.reverse_multiplicity.clear();
  }
}

// As pairs::reverse_triples, in memory that is kept and from counts that are there already.
void LevelCutter::reverse_level(pairs::Level& level) {
  level.reverse_offsets.resize(level.num_sources + 1);
  std::uint64_t sum = level.reverse_offsets[0] = 0;
  std::uint64_t* next = reverse_count_.data();
  for (std::size_t source = 0; source < level.num_sources; ++source) {
    const std::uint64_t count = next[source];
    next[source] = sum;
    sum += count;
    level.reverse_offsets[source + 1] = sum;
  }
  level.reverse.resize(sum);
  level.reverse_multiplicity.resize(sum);
  const RowPair* triples = level.triples.data();
  const std::uint32_t* multiplicity = level.multiplicity.data();
  RowPair* reverse = level.reverse.data();
  std::uint32_t* reverse_times = level.reverse_multiplicity.data();
  std::uint64_t at = 0;
  for (std::size_t row = 0; row < level.num_rows(); ++row)
    for (const std::uint64_t end = level.offsets[row + 1]; at < end; ++at) {
      const RowPair triple = triples[at];
      const bool is_one = triple.a == triple.b;
      const std::uint32_t times = is_one ? 2 * multiplicity[at] : multiplicity[at];
      const std::uint64_t first = next[triple.a]++;
      reverse[first] = {static_cast<Row>(row), triple.b};
      reverse_times[first] = times;
      if (is_one) continue;
      const std::uint64_t second = next[triple.b]++;
      reverse[second] = {static_cast<Row>(row), triple.a};
      reverse_times[second] = times;
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
