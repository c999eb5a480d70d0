// The fused pair sum alone: ns, bytes and cycles per triple, for every form and activation;
// and the encoding. Datasets are read from the folder TWOFOLD_DATA; without it, random graphs of about the same
// shape stand in.
#include <benchmark/benchmark.h>
#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "bench/dataset_graphs.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/compute/pair_sum.h"

namespace twofold {
namespace {

using bench::cycles_a_ns;
using bench::graphs_of;
using compute::Activation;
using pairs::PairSet;
using pairs::Radius;

template <typename T>
struct Buffers {
  hwy::AlignedFreeUniquePtr<T[]> z, prepared, sums, g, dz;
  std::vector<std::uint8_t> is_exact;
  compute::PairSumArgs<T> args;

  Buffers(const compute::PairPlan& plan, Activation activation, std::size_t d, int threads) {
    const std::size_t width = compute::padded_width<T>(d);
    const std::size_t size = plan.num_rows * width;
    Random random(1);
    const auto fill = [&](hwy::AlignedFreeUniquePtr<T[]>& buffer) {
      buffer = hwy::AllocateAligned<T>(size);
      for (std::size_t k = 0; k < size; ++k) buffer[k] = static_cast<T>(random.uniform() - 0.5);
    };
    for (auto* buffer : {&z, &prepared, &sums, &g, &dz}) fill(*buffer);
    is_exact.resize(plan.blocks.size());
    args.plan = &plan;
    args.activation = activation;
    args.d = d;
    args.z = z.get();
    args.prepared = prepared.get();
    args.is_exact = is_exact.data();
    args.sums = sums.get();
    args.g = g.get();
    args.dz = dz.get();
    args.z_stride = args.sums_stride = args.g_stride = args.dz_stride = width;
    args.threads = threads;
  }
};

// Runs the fused form forward and backward and compares with the plain loops; leaves what backward reads.
bool agrees_with_reference(Buffers<float>& buffers, const compute::PairPlan& plan) {
  compute::PairSumArgs<float> plain = buffers.args;
  const std::size_t size = plan.num_rows * plain.sums_stride;
  std::vector<float> sums(size);
  std::vector<float> dz(size);
  plain.sums = sums.data();
  plain.dz = dz.data();
  if (!compute::pair_sum_fused(buffers.args) || !compute::pair_sum_reference(plain)) return false;
  compute::pair_sum_backward_fused(buffers.args);
  compute::pair_sum_backward_reference(plain);
  const auto agree = [&](const float* found, const std::vector<float>& expected) {
    for (std::size_t k = 0; k < size; ++k)
      if (!(std::abs(found[k] - expected[k]) <= 1e-4f * (1 + std::abs(expected[k])))) return false;
    return true;
  };
  return agree(buffers.sums.get(), sums) && agree(buffers.dz.get(), dz);
}

struct Case {
  const char* dataset;
  int radius;
  std::size_t graphs;
};

enum class Form { kStored, kFound, kSquare };
const char* form_name(Form form) {
  return form == Form::kStored ? "stored" : form == Form::kFound ? "intersected" : "square";
}

void run(benchmark::State& state, const Case& work, Form form, Activation activation, std::size_t d,
         int threads, bool backward) {
  const std::vector<Graph>& all = graphs_of(work.dataset);
  const std::size_t count = std::min(all.size(), work.graphs);
  pairs::EncodeOptions options;
  options.store_triples = form == Form::kStored;
  const std::vector<PairSet> sets =
      pairs::encode_pairs(Span<const Graph>(all.data(), count), Radius(work.radius), options);
  compute::PairPlan plan = compute::make_plan(pairs::make_batch(sets));
  for (compute::PairBlock& block : plan.blocks)
    block.form = form == Form::kSquare && block.set->is_complete() ? compute::PairForm::kComplete
                                                                   : compute::PairForm::kLists;
  Buffers<float> buffers(plan, activation, d, threads);
  // Once for each way: the library calls this several times for one figure, and the plain loops are slow.
  static std::set<std::string> right;
  const std::string way =
      fmt::format("{} {} {} {} {}", work.dataset, work.radius, form_name(form), to_string(activation), threads);
  if (right.count(way) == 0) {
    if (!agrees_with_reference(buffers, plan)) {
      state.SkipWithError("the answer is not the reference's");
      return;
    }
    right.insert(way);
  }
  compute::pair_sum_fused(buffers.args);
  for (auto _ : state) {
    if (backward)
      compute::pair_sum_backward_fused(buffers.args);
    else
      compute::pair_sum_fused(buffers.args);
  }
  const double triples = static_cast<double>(plan.num_triples) * static_cast<double>(state.iterations());
  state.counters["ns/triple"] =
      benchmark::Counter(triples * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["cyc/tri/vec"] =
      benchmark::Counter(triples * 1e-9 / cycles_a_ns() * static_cast<double>((d + 7) / 8),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["read"] = benchmark::Counter(
      triples * static_cast<double>(d * sizeof(float) * (backward ? 4 : 2)), benchmark::Counter::kIsRate);
  state.counters["rows"] = static_cast<double>(plan.num_rows);
  state.counters["triples"] = static_cast<double>(plan.num_triples);
}

void encode(benchmark::State& state, const Case& work, bool store) {
  const std::vector<Graph>& all = graphs_of(work.dataset);
  pairs::EncodeOptions options;
  options.store_triples = store;
  options.threads = 1;
  std::uint64_t triples = 0;
  for (auto _ : state) {
    const auto sets = pairs::encode_pairs(Span<const Graph>(all.data(), std::min(all.size(), work.graphs)),
                                          Radius(work.radius), options);
    triples = pairs::make_batch(sets).num_triples;
  }
  state.counters["triples"] = static_cast<double>(triples);
}

}  // namespace
}  // namespace twofold

int main(int argc, char** argv) {
  using namespace twofold;
  const Case cases[] = {{"NCI1", 8, 400}, {"IMDB-BINARY", 4, 300}, {"PROTEINS_full", 5, 100},
                        {"DD", 2, 20},    {"NCI1", 1, 4110},       {"IMDB-BINARY", 1, 1000},
                        {"DD", 1, 100}};
  for (const Case& work : cases)
    for (const Form form : {Form::kStored, Form::kFound, Form::kSquare}) {
      if (form == Form::kSquare && std::string(work.dataset) != "IMDB-BINARY") continue;
      for (const Activation activation : {Activation::kRelu, Activation::kLogistic})
        for (const bool backward : {false, true})
          for (const int threads : {1, 2}) {
            const std::string name = std::string("pair_sum/") + form_name(form) + "/" + work.dataset +
                                     "/r:" + std::to_string(work.radius) + "/d:32/" + to_string(activation) +
                                     (backward ? "/backward" : "/forward") +
                                     "/threads:" + std::to_string(threads);
            benchmark::RegisterBenchmark(
                name.c_str(),
                [=](benchmark::State& state) { run(state, work, form, activation, 32, threads, backward); })
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond);
          }
    }
  for (const Case& work : {Case{"NCI1", 8, 100000}, Case{"PROTEINS_full", 5, 100000}, Case{"DD", 2, 100000}})
    for (const bool store : {true, false}) {
      const std::string name = std::string("encode/") + (store ? "stored/" : "intersected/") + work.dataset +
                               "/r:" + std::to_string(work.radius) + "/threads:1";
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { encode(state, work, store); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  benchmark::Initialize(&argc, argv);
  benchmark::AddCustomContext("core_clock_GHz", std::to_string(cycles_a_ns()));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
