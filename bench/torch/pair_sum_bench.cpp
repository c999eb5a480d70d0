// The pair sum forward and backward by both engines in one run, on one thread each: the fused loop and the
// paper's gather and scatter with stock tensor operations. A wrong answer is not timed. The last lines give the
// ratios. With --peak-memory [GRAPHS] it says instead how much memory the process of each engine takes at most.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <torch/torch.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "bench/dataset_graphs.h"
#include "twofold/base/memory.h"
#include "twofold/torch/gather_scatter.h"
#include "twofold/torch/pair_conv_op.h"

namespace twofold {
namespace {

using compute::Activation;
using torch::Tensor;

struct Case {
  const char* dataset;
  int radius;
  std::size_t graphs;
  std::string name(Activation activation) const {
    return std::string(dataset) + "/r:" + std::to_string(radius) + "/graphs:" + std::to_string(graphs) +
           "/d:32/" + to_string(activation);
  }
};

constexpr Case kCases[] = {
    {"NCI1", 8, 400},         {"IMDB-BINARY", 4, 300},  {"PROTEINS_full", 5, 100},  {"DD", 2, 20},
    {"NCI1", 1, 4110},        {"IMDB-BINARY", 1, 1000}, {"PROTEINS_full", 1, 1113}, {"DD", 1, 100},
    {"REDDIT-BINARY", 1, 200}};

struct Work {
  std::vector<pairs::PairSet> sets;
  tensors::Plan plan;
  tensors::ReferenceTensors references;
  Tensor z;
  Tensor g;
};

// The gather and scatter needs the references, the fused loop the sets.
Work make_work(const Case& of, bool with_references) {
  Work work;
  const std::vector<Graph>& graphs = bench::graphs_of(of.dataset);
  work.sets = pairs::encode_pairs(Span<const Graph>(graphs.data(), std::min(graphs.size(), of.graphs)),
                                  pairs::Radius(of.radius));
  const pairs::PairBatch batch = pairs::make_batch(work.sets);
  work.plan = std::make_shared<compute::PairPlan>(compute::make_plan(batch));
  if (with_references) work.references = tensors::make_reference_tensors(batch);
  torch::manual_seed(1);
  work.z = torch::randn({static_cast<std::int64_t>(batch.num_rows()), 32}).requires_grad_();
  work.g = torch::randn({static_cast<std::int64_t>(batch.num_rows()), 32});
  return work;
}

Work& work_of(const Case& of) {
  static std::map<std::string, Work> all;
  const std::string key = std::string(of.dataset) + std::to_string(of.radius);
  if (all.count(key) == 0) {
    all.clear();  // one at a time in memory
    all.emplace(key, make_work(of, true));
  }
  return all.at(key);
}

struct Answer {
  Tensor sums;
  Tensor dz;
};

Answer forward_backward(const Work& work, Activation activation, bool fused, int threads) {
  const Tensor sums = fused ? tensors::pair_sum(work.z, Tensor(), work.plan, activation, threads)
                            : tensors::pair_sum_gather_scatter(work.z, Tensor(), work.references, activation);
  return {sums.detach(), torch::autograd::grad({sums}, {work.z}, {work.g})[0]};
}

bool agree(const Tensor& a, const Tensor& b) {
  return ((a - b).abs().max() <= 1e-4 * (1 + b.abs().max())).item<bool>();
}

std::map<std::string, double> best_seconds;

// On one thread the time this thread had a core: neighbors on the machine then do not count. On several, the
// clock.
double seconds_now(int threads) {
  timespec now{};
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void run(benchmark::State& state, const Case& of, Activation activation, bool fused, int threads,
         const std::string& name) {
  Work& work = work_of(of);
  {
    const Answer mine = forward_backward(work, activation, true, threads);
    const Answer stock = forward_backward(work, activation, false, 1);
    if (!agree(mine.sums, stock.sums) || !agree(mine.dz, stock.dz)) {
      state.SkipWithError("the engines disagree");
      return;
    }
  }
  double best = 1e9;
  for (auto _ : state) {
    const double begin = seconds_now(threads);
    benchmark::DoNotOptimize(forward_backward(work, activation, fused, threads));
    const double taken = seconds_now(threads) - begin;
    state.SetIterationTime(taken);
    best = std::min(best, taken);
  }
  best_seconds[name] = best;
  const double triples = static_cast<double>(work.plan->num_triples);
  state.counters["ns/triple"] = best / triples * 1e9;
  state.counters["cyc/tri/feat"] = best / triples * 1e9 * bench::cycles_a_ns() / 32;
  state.counters["rows"] = static_cast<double>(work.plan->num_rows);
  state.counters["triples"] = triples;
}

// The largest resident size, in MB, of a process that makes the inputs of `of` and then runs one engine forward
// and backward (or none). What the inputs of the other engine take is not counted.
double peak_memory(const Case& of, const char* engine) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string name = engine;
    const Work work = make_work(of, name == "gather-scatter");
    if (name != "inputs alone") forward_backward(work, Activation::kLogistic, name == "fused", 1);
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return status == 0 ? static_cast<double>(usage.ru_maxrss) / 1024 : -1;
}

int report_peak_memory(std::size_t graphs) {
  const Case of{"NCI1", 8, graphs};
  std::printf("%s, forward + backward, peak of the whole process\n", of.name(Activation::kLogistic).c_str());
  double peak[2] = {0, 0};
  for (const char* engine : {"inputs alone", "fused", "gather-scatter"}) {
    const double megabytes = peak_memory(of, engine);
    std::printf("%-16s %8.0f MB\n", engine, megabytes);
    if (engine != std::string("inputs alone")) peak[engine == std::string("gather-scatter")] = megabytes;
  }
  std::printf("ratio %.1f\n", peak[1] / peak[0]);
  return 0;
}

}  // namespace
}  // namespace twofold

int main(int argc, char** argv) {
  using namespace twofold;
  torch::set_num_threads(1);
  if (argc >= 2 && argv[1] == std::string("--peak-memory"))
    return report_peak_memory(argc > 2 ? std::stoul(argv[2]) : 1600);
  for (const Case& of : kCases)
    for (const Activation activation : {Activation::kRelu, Activation::kLogistic}) {
      const auto add = [&](const std::string& engine, bool fused, int threads) {
        const std::string name = engine + "/" + of.name(activation);
        benchmark::RegisterBenchmark(
            ("pair_sum/" + name).c_str(),
            [=](benchmark::State& state) { run(state, of, activation, fused, threads, name); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      };
      add("fused", true, 1);
      add("fused-2-threads", true, 2);
      add("gather-scatter", false, 1);
    }
  benchmark::Initialize(&argc, argv);
  benchmark::AddCustomContext("core_clock_GHz", std::to_string(bench::cycles_a_ns()));
  benchmark::RunSpecifiedBenchmarks();
  std::printf("\n%-48s %12s %12s %10s %10s\n", "best of all runs, forward + backward", "fused ms", "stock ms",
              "ratio", "2 threads");
  for (const Case& of : kCases)
    for (const Activation activation : {Activation::kRelu, Activation::kLogistic}) {
      const std::string name = of.name(activation);
      if (best_seconds.count("fused/" + name) == 0 || best_seconds.count("gather-scatter/" + name) == 0)
        continue;
      const double fused = best_seconds["fused/" + name];
      const double stock = best_seconds["gather-scatter/" + name];
      const double two =
          best_seconds.count("fused-2-threads/" + name) ? best_seconds["fused-2-threads/" + name] : 0;
      std::printf("%-48s %12.3f %12.1f %9.1fx %9.2fx\n", name.c_str(), fused * 1e3, stock * 1e3, stock / fused,
                  two > 0 ? fused / two : 0.0);
    }
  return 0;
}
