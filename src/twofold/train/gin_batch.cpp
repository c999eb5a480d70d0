#include "twofold/train/gin_batch.h"

#include <limits>

#include "twofold/base/error.h"
#include "twofold/train/initial_features.h"

namespace twofold::train {
namespace {

template <typename T>
using Level = typename GinBatch<T>::Level;

// A sum over the sources of a color, and its own row, which gin adds.
template <typename T>
void fill_sums(const pairs::LevelOf<levels::Row>& from, Level<T>& to) {
  const std::size_t rows = from.num_rows();
  const std::size_t entries = from.items.size() + rows;
  TWOFOLD_CHECK(entries <= std::numeric_limits<std::uint32_t>::max(), "{} summands", entries);
  to.own = from.own;
  to.offsets.resize(rows + 1);
  to.columns.resize(entries);
  to.values.resize(entries);
  std::size_t at = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    to.offsets[row] = static_cast<std::uint32_t>(at);
    for (std::uint64_t k = from.offsets[row]; k < from.offsets[row + 1]; ++k, ++at) {
      to.columns[at] = from.items[k];
      to.values[at] = static_cast<T>(from.multiplicity[k]);
    }
    to.columns[at] = from.own[row];
    to.values[at++] = 1;
  }
  to.offsets[rows] = static_cast<std::uint32_t>(at);
}

template <typename T>
void fill_features(const std::vector<levels::Row>& rows, std::size_t columns,
                   const std::vector<float>& features, Level<T>& to) {
  to.offsets.assign(1, 0);
  to.columns.clear();
  to.values.clear();
  for (const levels::Row row : rows) {
    const float* const from = features.data() + row * columns;
    for (std::size_t c = 0; c < columns; ++c) {
      if (from[c] == 0) continue;
      to.columns.push_back(static_cast<std::uint32_t>(c));
      to.values.push_back(static_cast<T>(from[c]));
    }
    to.offsets.push_back(static_cast<std::uint32_t>(to.columns.size()));
  }
}

// What each graph has on the level before: several colors go on from one.
template <typename T>
void pool_before(const Level<T>& after, std::size_t num_rows, Level<T>& before,
                 std::vector<std::uint64_t>& entry) {
  constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  before.pool_offsets.assign(1, 0);
  before.pool_rows.clear();
  before.pool_counts.clear();
  entry.assign(num_rows, kNone);
  for (std::size_t g = 0; g + 1 < after.pool_offsets.size(); ++g) {
    const std::uint64_t begin = before.pool_rows.size();
    for (std::uint64_t k = after.pool_offsets[g]; k < after.pool_offsets[g + 1]; ++k) {
      const std::uint32_t row = after.own[after.pool_rows[k]];
      std::uint64_t& at = entry[row];
      if (at == kNone || at < begin) {
        at = before.pool_rows.size();
        before.pool_rows.push_back(row);
        before.pool_counts.push_back(0);
      }
      before.pool_counts[at] += after.pool_counts[k];
    }
    before.pool_offsets.push_back(before.pool_rows.size());
  }
}

template <typename T>
void finish(std::size_t num_rows, Level<T>& level, typename compute::GinNetBatch<T>::Level& net) {
  level.counts.assign(num_rows, T{0});
  for (std::size_t k = 0; k < level.pool_rows.size(); ++k)
    level.counts[level.pool_rows[k]] += static_cast<T>(level.pool_counts[k]);
  level.segments.clear();
  for (std::size_t g = 0; g + 1 < level.pool_offsets.size(); ++g)
    level.segments.push_back({level.pool_rows.data() + level.pool_offsets[g],
                              level.pool_counts.data() + level.pool_offsets[g], 0,
                              static_cast<std::size_t>(level.pool_offsets[g + 1] - level.pool_offsets[g])});
  net.rows = {num_rows, level.offsets.data(), level.columns.data(), level.values.data()};
  net.own = level.own.data();
  net.counts = level.counts.data();
  net.segments = level.segments.data();
}

}  // namespace

GinBatcher::GinBatcher(const EncodedDataset& data, const model::ModelOptions& model,
                       const FeatureScaling& scaling)
    : levels_(data.neighbor_levels(model.layers)),
      cutter_(levels_),
      columns_(data.columns()),
      features_(initial_features(data, levels_.initial, scaling)) {
  TWOFOLD_CHECK(data.model() == model::ModelKind::kGin);
}

template <typename T>
void GinBatcher::fill(const std::vector<std::uint32_t>& graphs, GinBatch<T>& to) {
  to.graphs = graphs;
  numbers_.assign(graphs.begin(), graphs.end());
  cutter_.cut(numbers_, cut_);
  const std::size_t last = cut_.levels.size();
  to.levels.resize(last + 1);
  to.net.levels.resize(last + 1);
  to.net.num_graphs = graphs.size();
  to.levels[last].pool_offsets = cut_.pool_offsets;
  to.levels[last].pool_rows = cut_.pool_rows;
  to.levels[last].pool_counts = cut_.pool_counts;
  for (std::size_t k = last + 1; k-- > 0;) {
    if (k == 0) {
      fill_features<T>(cut_.rows[0], columns_, features_, to.levels[0]);
    } else {
      fill_sums<T>(cut_.levels[k - 1], to.levels[k]);
      pool_before<T>(to.levels[k], cut_.num_rows(k - 1), to.levels[k - 1], entry_);
    }
    finish<T>(cut_.num_rows(k), to.levels[k], to.net.levels[k]);
  }
}

template void GinBatcher::fill(const std::vector<std::uint32_t>&, GinBatch<float>&);
template void GinBatcher::fill(const std::vector<std::uint32_t>&, GinBatch<double>&);

}  // namespace twofold::train
