// Color refinement against the plain oracle, and the aims of its speed. Every answer is checked before it is
// timed.
//
//   build/bench/bench/bench_wl --benchmark_filter=pairs
#include <benchmark/benchmark.h>

#include <map>
#include <string>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "tests/support/plain_fwl_oracle.h"
#include "twofold/base/random.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/coloring.h"

namespace twofold::wl {
namespace {

using graph::PowerRadius;

using namespace testing;  // NOLINT

constexpr WlTest kFolklore2 = {Kind::kTuples, 2};
constexpr WlTest kFolklore3 = {Kind::kTuples, 3};

Graph cfi_of_cycle_power(std::size_t n, bool twisted) {
  // Chords of a ring make base graphs of treewidth above 2.
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 0; v < n; ++v) edges.emplace_back(v, static_cast<Node>((v + 1) % n));
  for (Node v = 0; v < n / 2; ++v) edges.emplace_back(v, static_cast<Node>(v + n / 2));
  return cfi(from_edges(n, edges), twisted);
}

// 400 pairs of 10 to 198 nodes in the mix of the usual collections: easy ones, regular ones, strongly regular
// ones, and CFI graphs of growing size, of which 2-fwl fails on the last two kinds.
const std::vector<Graph>& mixed_pairs() {
  static const std::vector<Graph> pairs = [] {
    std::vector<Graph> graphs;
    Random random(1);
    const auto add = [&](const Graph& a, const Graph& b) {
      graphs.push_back(shuffled(a, random));
      graphs.push_back(shuffled(b, random));
    };
    for (int i = 0; i < 60; ++i) add(random_graph(random, 10, 0.5), random_graph(random, 10, 0.5));
    for (int i = 0; i < 140; ++i) {
      const std::size_t n = 10 + 2 * random.below(16);
      add(random_regular(random, n, 4), random_regular(random, n, 4));
    }
    for (int i = 0; i < 90; ++i) add(rook_4x4(), shrikhande());
    for (int i = 0; i < 100; ++i) {
      // 10 nodes an inner node of degree 3: 40 … 190 nodes.
      const std::size_t n = 4 + 2 * (static_cast<std::size_t>(i) % 8);
      add(cfi_of_cycle_power(n, false), cfi_of_cycle_power(n, true));
    }
    for (int i = 0; i < 10; ++i) add(random_regular(random, 198, 4), random_regular(random, 198, 4));
    return graphs;
  }();
  return pairs;
}

struct PlainAnswer {
  std::vector<bool> verdicts;
  std::uint64_t items = 0;  // (tuple, w) looked at
};

PlainAnswer ask_plain(const std::vector<Graph>& graphs, int k) {
  PlainAnswer answer;
  for (std::size_t i = 0; i + 1 < graphs.size(); i += 2)
    answer.verdicts.push_back(plain_fwl_distinguishes(k, graphs[i], graphs[i + 1], &answer.items));
  return answer;
}

// Computed once: by the plain benchmark if that ran before.
PlainAnswer& plain_answer(const std::vector<Graph>& graphs, int k) {
  static std::map<std::pair<const void*, int>, PlainAnswer> known;
  return known[{&graphs, k}];
}

void report(benchmark::State& state, std::uint64_t items) {
  const double per_run = static_cast<double>(items);
  state.counters["ns_a_triple"] = benchmark::Counter(per_run * static_cast<double>(state.iterations()) * 1e-9,
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void pairs_plain(benchmark::State& state, const std::vector<Graph>& graphs, int k) {
  PlainAnswer& answer = plain_answer(graphs, k);
  for (auto _ : state) answer = ask_plain(graphs, k);
  report(state, answer.items);
}

void pairs_ours(benchmark::State& state, const std::vector<Graph>& graphs, const WlTest& test, int threads) {
  ClassifyOptions options;
  options.threads = threads;
  PlainAnswer& plain = plain_answer(graphs, test.k);
  if (plain.verdicts.empty()) plain = ask_plain(graphs, test.k);
  if (distinguish_pairs(graphs, test, options) != plain.verdicts) {
    state.SkipWithError("the answer differs from the plain oracle's");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(distinguish_pairs(graphs, test, options));
  report(state, plain.items);
}

void eight_nodes(benchmark::State& state, const WlTest& test, std::size_t expected) {
  const std::vector<Graph> graphs = all_graphs(8);
  if (graphs.size() != 12346) return state.SkipWithError("nauty-geng is not installed");
  if (classify(graphs, test).num_classes != expected) return state.SkipWithError("wrong number of classes");
  for (auto _ : state) benchmark::DoNotOptimize(classify(graphs, test).num_classes);
}

Graph sparse_random_graph(std::size_t n, std::size_t m) {
  Random random(1);
  GraphBuilder builder(n);
  builder.reserve_edges(m);
  for (std::size_t e = 0; e < m; ++e) {
    const auto u = static_cast<Node>(random.below(n));
    const auto v = static_cast<Node>(random.below(n));
    if (u != v) builder.add_edge(u, v);
  }
  return std::move(builder).build();
}

void stable_vertices(benchmark::State& state) {
  const Graph g = sparse_random_graph(1000000, 5000000);
  RefineOptions by_rounds;
  by_rounds.after_round = [](const Coloring&) { return true; };
  if (refine(g, {}).colors != refine(g, {}, by_rounds).colors)
    return state.SkipWithError("differs from the coloring by rounds");
  for (auto _ : state) benchmark::DoNotOptimize(refine(g, {}).num_colors);
}

void marked_rows(benchmark::State& state, int threads) {
  const std::vector<Graph> graphs = {cfi(complete(4), false), cfi(complete(4), true)};
  ClassifyOptions options;
  options.threads = threads;
  const WlTest test = {Kind::kRows, 2, PowerRadius::all(), 1};
  if (classify(graphs, test, options).num_classes != 2) return state.SkipWithError("wrong number of classes");
  for (auto _ : state) benchmark::DoNotOptimize(classify(graphs, test, options).num_classes);
}

std::vector<Graph> one_pair(const Graph& a, const Graph& b) { return {a, b}; }
const std::vector<Graph>& cfi_pair(std::size_t n) {
  static std::map<std::size_t, std::vector<Graph>> pairs;
  if (pairs[n].empty()) pairs[n] = one_pair(cfi_of_cycle_power(n, false), cfi_of_cycle_power(n, true));
  return pairs[n];
}
const std::vector<Graph>& regular_pair(std::size_t n) {
  static std::map<std::size_t, std::vector<Graph>> pairs;
  Random random(n);
  if (pairs[n].empty()) {
    const Graph g = random_regular(random, n, 4);
    pairs[n] = one_pair(g, shuffled(g, random));
  }
  return pairs[n];
}

const auto kMs = benchmark::kMillisecond;
// The names are text to the macro: clang-format would put blanks into them.
// clang-format off
BENCHMARK_CAPTURE(eight_nodes, 2-fwl/graphs:12346, kFolklore2, 12346)->Unit(kMs);
BENCHMARK_CAPTURE(eight_nodes, 1-wl/graphs:12346, WlTest{}, 12095)->Unit(kMs);
BENCHMARK_CAPTURE(pairs_plain, 2-fwl/pairs:400, mixed_pairs(), 2)->Unit(kMs)->Iterations(1);
BENCHMARK_CAPTURE(pairs_ours, 2-fwl/pairs:400/threads:1, mixed_pairs(), kFolklore2, 1)->Unit(kMs);
BENCHMARK_CAPTURE(pairs_ours, 2-fwl/pairs:400/threads:2, mixed_pairs(), kFolklore2, 2)
    ->Unit(kMs)
    ->UseRealTime();
BENCHMARK_CAPTURE(pairs_plain, 2-fwl/cfi/n:40, cfi_pair(4), 2)->Unit(kMs);
BENCHMARK_CAPTURE(pairs_ours, 2-fwl/cfi/n:40, cfi_pair(4), kFolklore2, 1)->Unit(kMs);
BENCHMARK_CAPTURE(pairs_plain, 2-fwl/cfi/n:180, cfi_pair(18), 2)->Unit(kMs);
BENCHMARK_CAPTURE(pairs_ours, 2-fwl/cfi/n:180, cfi_pair(18), kFolklore2, 1)->Unit(kMs);
BENCHMARK_CAPTURE(pairs_plain, 2-fwl/regular/n:198, regular_pair(198), 2)->Unit(kMs);
BENCHMARK_CAPTURE(pairs_ours, 2-fwl/regular/n:198, regular_pair(198), kFolklore2, 1)->Unit(kMs);
BENCHMARK_CAPTURE(pairs_plain, 3-fwl/cfi/n:40, cfi_pair(4), 3)->Unit(kMs)->Iterations(1);
BENCHMARK_CAPTURE(pairs_ours, 3-fwl/cfi/n:40, cfi_pair(4), kFolklore3, 1)->Unit(kMs);
BENCHMARK_CAPTURE(pairs_plain, 3-fwl/cfi/n:130, cfi_pair(13), 3)->Unit(kMs)->Iterations(1);
BENCHMARK_CAPTURE(pairs_ours, 3-fwl/cfi/n:130, cfi_pair(13), kFolklore3, 1)->Unit(kMs)->Iterations(1);
BENCHMARK(stable_vertices)->Unit(kMs)->Name("stable_vertices/n:1000000/m:5000000")->Iterations(1);
BENCHMARK_CAPTURE(marked_rows, radius:all/marks:1/n:40/threads:1, 1)->Unit(kMs)->UseRealTime();
BENCHMARK_CAPTURE(marked_rows, radius:all/marks:1/n:40/threads:2, 2)->Unit(kMs)->UseRealTime();
// clang-format on

}  // namespace
}  // namespace twofold::wl
