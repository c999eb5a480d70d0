// Building the levels of datasets, and cutting shuffled batches out of them. Datasets are read from the folder
// TWOFOLD_DATA; without it, random graphs of about the same shape stand in.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <numeric>
#include <string>

#include "bench/dataset_graphs.h"
#include "twofold/base/random.h"
#include "twofold/levels/color_levels.h"
#include "twofold/levels/level_cutter.h"
#include "twofold/levels/neighbor_levels.h"
#include "twofold/pairs/pair_counts.h"

namespace twofold {
namespace {

using bench::graphs_of;
using levels::ColorLevels;
using pairs::Radius;

struct Case {
  const char* dataset;
  int radius;
  int rounds;
};

std::string name_of(const char* what, const Case& c) {
  return fmt::format("{}/{}/r:{}/T:{}", what, c.dataset, c.radius, c.rounds);
}

void build(benchmark::State& state, const Case& c, int threads) {
  const auto& graphs = graphs_of(c.dataset);
  levels::ColorLevelOptions options;
  options.rounds = c.rounds;
  options.threads = threads;
  const ColorLevels expected = levels::build_color_levels(graphs, Radius(c.radius), options);
  const pairs::PairCounts counts = pairs::count_pairs(graphs, Radius(c.radius), threads);
  const auto sum = [](Span<const std::uint64_t> x) {
    return std::accumulate(x.begin(), x.end(), std::uint64_t{0});
  };
  if (sum(expected.graph_rows) != counts.rows || sum(expected.graph_items) != counts.triples) {
    state.SkipWithError("rows or triples got lost");
    return;
  }
  for (auto _ : state) {
    const ColorLevels built = levels::build_color_levels(graphs, Radius(c.radius), options);
    benchmark::DoNotOptimize(built.levels.back().num_rows());
  }
  state.counters["colors"] = static_cast<double>(expected.levels.back().num_rows());
  state.counters["bytes"] = static_cast<double>(expected.memory());
}

template <typename Item>
void cut(benchmark::State& state, const levels::Levels<Item>& levels, std::size_t size) {
  std::vector<std::size_t> order(levels.num_graphs());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(1);
  random.shuffle(order);
  size = std::min(size, order.size());
  levels::Cutter<Item> cutter(levels);
  levels::BatchLevels<Item> batch;
  cutter.cut({order.data(), size}, batch);
  batch.check();
  std::size_t at = 0;
  double rows = 0, items = 0;
  for (auto _ : state) {
    if (at + size > order.size()) at = 0;
    cutter.cut({order.data() + at, size}, batch);
    at += size;
    rows += static_cast<double>(batch.rows.back().size());
    for (const auto& level : batch.levels) items += static_cast<double>(level.items.size());
  }
  state.counters["rows"] = benchmark::Counter(rows, benchmark::Counter::kAvgIterations);
  state.counters["items"] = benchmark::Counter(items, benchmark::Counter::kAvgIterations);
}

void cut_pairs(benchmark::State& state, const Case& c, std::size_t size) {
  levels::ColorLevelOptions options;
  options.rounds = c.rounds;
  cut(state, levels::build_color_levels(graphs_of(c.dataset), Radius(c.radius), options), size);
}

void cut_neighbors(benchmark::State& state, const char* dataset, levels::NeighborRows kind) {
  levels::NeighborLevelOptions options;
  options.kind = kind;
  cut(state, levels::build_neighbor_levels(graphs_of(dataset), options), 32);
}

const int registered = [] {
  for (const Case& c :
       {Case{"NCI1", 1, 3}, Case{"NCI1", 8, 3}, Case{"IMDB-BINARY", 1, 3}, Case{"IMDB-BINARY", 4, 3},
        Case{"REDDIT-BINARY", 1, 3}, Case{"PROTEINS_full", 5, 3}, Case{"DD", 2, 3}}) {
    for (const int threads : {1, 2})
      benchmark::RegisterBenchmark((name_of("build", c) + fmt::format("/threads:{}", threads)).c_str(),
                                   [=](benchmark::State& state) { build(state, c, threads); })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    for (const std::size_t size : {std::size_t{32}, ~std::size_t{0}})
      benchmark::RegisterBenchmark((name_of("cut", c) + (size == 32 ? "/batch:32" : "/batch:all")).c_str(),
                                   [=](benchmark::State& state) { cut_pairs(state, c, size); })
          ->Unit(benchmark::kMicrosecond);
  }
  for (const char* dataset : {"NCI1", "IMDB-BINARY", "REDDIT-BINARY"})
    for (const auto kind : {levels::NeighborRows::kVertices, levels::NeighborRows::kEdges})
      benchmark::RegisterBenchmark(fmt::format("cut/{}/{}/T:3/batch:32", dataset,
                                               kind == levels::NeighborRows::kEdges ? "edges" : "vertices")
                                       .c_str(),
                                   [=](benchmark::State& state) { cut_neighbors(state, dataset, kind); })
          ->Unit(benchmark::kMicrosecond);
  return 0;
}();

}  // namespace
}  // namespace twofold
