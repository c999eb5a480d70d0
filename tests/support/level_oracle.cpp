#include "tests/support/level_oracle.h"

#include <cstring>

#include "tests/support/pair_oracle.h"
#include "twofold/pairs/pair_features.h"

namespace twofold::testing {
namespace {

std::uint64_t value_of(const float* features, std::size_t d) {
  std::uint64_t value = 1;
  for (std::size_t c = 0; c < d; ++c) {
    std::uint32_t bits;
    std::memcpy(&bits, features + c, sizeof bits);
    value = (value ^ bits) * 0x100000001b3u;
  }
  return value ^ (value >> 29);
}

pairs::FeatureLayout layout_of(Span<const Graph> graphs, bool indicators, bool attributes) {
  pairs::FeatureLayout layout = pairs::feature_layout(graphs, indicators);
  if (!attributes) layout.node_attributes = layout.edge_attributes = 0;
  return layout;
}

std::uint64_t triple_value(std::uint64_t a, std::uint64_t b) { return (a + b) * (a + b) + 1; }
std::uint64_t next_value(std::uint64_t own, std::uint64_t start, std::uint64_t sum) {
  return 3 * own + 5 * start + own * sum;
}

}  // namespace

std::vector<PooledSums> plain_sums(Span<const Graph> graphs, pairs::Radius radius, int rounds, bool indicators,
                                   bool attributes) {
  const pairs::FeatureLayout full = layout_of(graphs, indicators, true);
  std::vector<PooledSums> sums;
  for (const Graph& g : graphs) {
    const PlainPairs plain = plain_pairs(g, radius);
    std::vector<float> features(plain.rows.size() * full.columns());
    pairs::write_features(g, pairs::encode_pairs(g, radius), full, features.data());
    std::vector<std::uint64_t> start(plain.rows.size());
    for (std::size_t f = 0; f < start.size(); ++f) {
      std::vector<float> row;
      for (std::size_t c = 0; c < full.columns(); ++c) {
        const bool is_attribute = (c >= full.node_attribute_column() && c < full.edge_label_column()) ||
                                  c >= full.edge_attribute_column();
        if (attributes || !is_attribute) row.push_back(features[f * full.columns() + c]);
      }
      start[f] = value_of(row.data(), row.size());
    }
    std::vector<std::uint64_t> z = start;
    for (int round = 0; round < rounds; ++round) {
      std::vector<std::uint64_t> next(z.size());
      for (std::size_t f = 0; f < z.size(); ++f) {
        std::uint64_t sum = 0;
        for (const auto& [a, b] : plain.triples[f]) sum += triple_value(z[a], z[b]);
        next[f] = next_value(z[f], start[f], sum);
      }
      z = next;
    }
    PooledSums pooled;
    for (std::size_t f = 0; f < z.size(); ++f) {
      pooled.rows += z[f];
      if (plain.rows[f][0] == plain.rows[f][1]) pooled.loops += z[f];
    }
    sums.push_back(pooled);
  }
  return sums;
}

std::vector<std::vector<std::uint64_t>> level_values(const levels::BatchLevels<pairs::RowPair>& batch,
                                                     const std::vector<std::uint64_t>& initial) {
  std::vector<std::uint64_t> start;
  for (const pairs::Row row : batch.rows[0]) start.push_back(initial[row]);
  std::vector<std::vector<std::uint64_t>> z = {start};
  for (std::size_t k = 0; k < batch.num_rounds(); ++k) {
    const pairs::Level& level = batch.levels[k];
    std::vector<std::uint64_t> next(level.num_rows());
    for (std::size_t row = 0; row < next.size(); ++row) {
      std::uint64_t sum = 0;
      for (std::uint64_t at = level.offsets[row]; at < level.offsets[row + 1]; ++at)
        sum += level.multiplicity[at] * triple_value(z[k][level.items[at].a], z[k][level.items[at].b]);
      next[row] = next_value(z[k][level.own[row]], start[batch.origins[k + 1][row]], sum);
    }
    z.push_back(std::move(next));
  }
  return z;
}

std::vector<PooledSums> level_sums(const levels::BatchLevels<pairs::RowPair>& batch,
                                   const std::vector<std::uint64_t>& initial) {
  const std::vector<std::uint64_t> z = level_values(batch, initial).back();
  std::vector<PooledSums> sums(batch.num_graphs());
  for (std::size_t g = 0; g < sums.size(); ++g)
    for (std::uint64_t at = batch.pool_offsets[g]; at < batch.pool_offsets[g + 1]; ++at) {
      sums[g].rows += batch.pool_counts[at] * z[batch.pool_rows[at]];
      sums[g].loops += batch.pool_loops[at] * z[batch.pool_rows[at]];
    }
  return sums;
}

std::vector<std::uint64_t> initial_values(const levels::ColorLevels& levels, Span<const Graph> graphs,
                                          bool indicators, bool attributes) {
  const pairs::FeatureLayout layout = layout_of(graphs, indicators, attributes);
  std::vector<float> features(levels.initial.size() * layout.columns());
  levels::write_initial_features(levels.initial, graphs, layout, {}, features.data());
  std::vector<std::uint64_t> values;
  for (std::size_t row = 0; row < levels.initial.size(); ++row)
    values.push_back(value_of(features.data() + row * layout.columns(), layout.columns()));
  return values;
}

}  // namespace twofold::testing
