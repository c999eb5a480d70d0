// Gram matrices of molecule-like graphs. Every kernel is checked against the plain oracle before it is timed.
//
//   build/bench/bench/bench_gram --benchmark_filter=wl-st
#include <benchmark/benchmark.h>

#include <string>

#include "tests/support/gram_oracle.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/random.h"
#include "twofold/gram/gram.h"

namespace twofold::gram {
namespace {

std::vector<Graph> sparse_graphs(std::size_t count, std::size_t n) {
  Random random(1);
  std::vector<Graph> graphs;
  for (std::size_t i = 0; i < count; ++i)
    graphs.push_back(testing::random_graph(random, n / 2 + random.below(n), 2.0 / static_cast<double>(n), 10));
  return graphs;
}

void time_gram(benchmark::State& state, const Kernel& kernel) {
  const auto few = sparse_graphs(10, 15);
  if (gram_matrix(few, kernel, {1, 0, {}}).values != testing::oracle_gram(few, kernel).values) {
    state.SkipWithError("differs from the oracle");
    return;
  }
  const auto graphs =
      sparse_graphs(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  const GramOptions options{static_cast<int>(state.range(2)), 0, {}};
  for (auto _ : state) benchmark::DoNotOptimize(gram_matrix(graphs, kernel, options).values.data());
  state.counters["graphs/s"] =
      benchmark::Counter(static_cast<double>(graphs.size()), benchmark::Counter::kIsIterationInvariantRate);
}

const bool kRegistered = [] {
  for (const KernelKind kind : {KernelKind::kWlSubtree, KernelKind::kWlShortestPath, KernelKind::kLocalSets,
                                KernelKind::kGlobalSets, KernelKind::kRows})
    benchmark::RegisterBenchmark(("gram/" + kernel_name(kind)).c_str(), time_gram, Kernel{kind, 3, false})
        ->ArgNames({"graphs", "n", "threads"})
        ->Args({1000, 30, 1})
        ->Args({1000, 30, 2})
        ->Args({20, 500, 1})
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace twofold::gram
