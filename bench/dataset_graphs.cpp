#include "bench/dataset_graphs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "twofold/base/random.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/dataset_file.h"

namespace twofold::bench {
namespace {

// A tree with a few more edges: the shape of molecules and proteins.
Graph sparse_graph(Random& random, std::size_t n, std::size_t extra) {
  GraphBuilder builder(n);
  for (std::size_t v = 1; v < n; ++v)
    builder.add_edge(static_cast<Node>(v),
                     static_cast<Node>(v - 1 - random.below(std::min<std::size_t>(v, 3))));
  for (std::size_t k = 0; k < extra; ++k)
    builder.add_edge(static_cast<Node>(random.below(n)), static_cast<Node>(random.below(n)));
  return std::move(builder).build();
}

// A node next to all others: the shape of IMDB's ego networks, and of the hubs of REDDIT with density 0.
Graph hub_graph(Random& random, std::size_t n, double density) {
  GraphBuilder builder(n);
  for (Node u = 0; u < n; ++u)
    for (Node v = u + 1; v < n; ++v)
      if (u == 0 || random.chance(density)) builder.add_edge(u, v);
  return std::move(builder).build();
}

}  // namespace

const std::vector<Graph>& graphs_of(const std::string& dataset) {
  static std::map<std::string, std::vector<Graph>> loaded;
  std::vector<Graph>& graphs = loaded[dataset];
  if (!graphs.empty()) return graphs;
  if (const char* folder = std::getenv("TWOFOLD_DATA")) {
    graphs = io::read_dataset(std::string(folder) + "/" + dataset).graphs;
    return graphs;
  }
  std::fprintf(stderr, "TWOFOLD_DATA is not set: random graphs stand in for %s\n", dataset.c_str());
  Random random(1);
  for (int g = 0; g < 400; ++g)
    graphs.push_back(dataset == "IMDB-BINARY"     ? hub_graph(random, 12 + random.below(16), 0.4)
                     : dataset == "REDDIT-BINARY" ? hub_graph(random, 200 + random.below(400), 0.0)
                     : dataset == "DD"            ? sparse_graph(random, 284, 430)
                                                  : sparse_graph(random, 30, 3));
  return graphs;
}

double cycles_a_ns() {
  static const double rate = [] {
    double best = 0;
    // Short runs, so that some of them are not interrupted.
    for (int run = 0; run < 2000; ++run) {
      std::uint64_t x = 1;
      const auto begin = std::chrono::steady_clock::now();
      constexpr int kSteps = 20'000;
      for (int k = 0; k < kSteps; ++k)
        asm volatile("add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0" : "+r"(x));
      const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
      best = std::max(best, 4 * kSteps / taken.count());
    }
    return best;
  }();
  return rate;
}

}  // namespace twofold::bench
