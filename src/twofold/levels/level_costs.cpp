#include "twofold/levels/level_costs.h"

#include <algorithm>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/levels/level_cutter.h"
#include "twofold/levels/neighbor_cutter.h"

namespace twofold::levels {
namespace {

double total(Span<const std::uint64_t> values) {
  return static_cast<double>(std::accumulate(values.begin(), values.end(), std::uint64_t{0}));
}

double entries(const ColorLevel& level) { return static_cast<double>(level.triples.size()); }
double entries(const NeighborColorLevel& level) { return static_cast<double>(level.sources.size()); }
double entries(const pairs::Level& level) { return static_cast<double>(level.triples.size()); }
double entries(const NeighborLevel& level) { return static_cast<double>(level.sources.size()); }

template <typename Cutter, typename Batch, typename Levels>
void estimate(const Levels& levels, std::size_t batch_size, std::size_t samples, LevelCosts& costs) {
  TWOFOLD_CHECK(batch_size > 0);
  const std::size_t count = levels.levels.size() - 1;
  costs.whole.resize(count);
  costs.batched.resize(count);
  for (std::size_t k = 0; k < count; ++k)
    costs.whole[k] = {static_cast<double>(levels.levels[k].num_rows()), entries(levels.levels[k + 1])};

  std::vector<std::size_t> order(levels.num_graphs());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(1).shuffle(order);
  costs.num_batches = (order.size() + batch_size - 1) / batch_size;
  costs.num_samples = std::min(samples, costs.num_batches);
  if (costs.num_samples == 0) return;
  Cutter cutter(levels);
  Batch batch;
  std::size_t looked_at = 0;
  for (std::size_t sample = 0; sample < costs.num_samples; ++sample) {
    const std::size_t begin = sample * batch_size;
    const std::size_t size = std::min(batch_size, order.size() - begin);
    cutter.cut({order.data() + begin, size}, batch, false);
    looked_at += size;
    for (std::size_t k = 0; k < count; ++k) {
      costs.batched[k].rows += static_cast<double>(batch.num_rows(k));
      costs.batched[k].triples += entries(batch.levels[k]);
    }
  }
  const double scale = static_cast<double>(order.size()) / static_cast<double>(looked_at);
  for (Work& work : costs.batched) {
    work.rows *= scale;
    work.triples *= scale;
  }
}

}  // namespace

LevelCosts estimate_costs(const ColorLevels& levels, std::size_t batch_size, std::size_t samples) {
  LevelCosts costs;
  costs.plain = {total(levels.graph_rows), total(levels.graph_triples)};
  estimate<LevelCutter, BatchLevels>(levels, batch_size, samples, costs);
  return costs;
}

LevelCosts estimate_costs(const NeighborLevels& levels, std::size_t batch_size, std::size_t samples) {
  LevelCosts costs;
  costs.plain = {total(levels.graph_rows), total(levels.graph_references)};
  estimate<NeighborCutter, NeighborBatch>(levels, batch_size, samples, costs);
  // Two levels of edges are one layer; the products are made on rows, not on vertices.
  if (levels.kind == NeighborRows::kEdges)
    for (std::vector<Work>* both : {&costs.whole, &costs.batched}) {
      for (std::size_t k = 0; k + 1 < both->size(); k += 2)
        (*both)[k / 2] = {(*both)[k].rows, (*both)[k].triples + (*both)[k + 1].triples};
      both->resize(both->size() / 2);
    }
  return costs;
}

}  // namespace twofold::levels
