#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "cli/learn_options.h"
#include "cli/options.h"

namespace twofold::cli {

struct BenchEpochOptions {
  std::string dataset;
  std::string model = "2-wl-gnn";
  GivenOptions given;
  std::string against;  // another engine, measured in turn
  int repeats = 3;
  std::size_t limit = 0;  // graphs; 0: all
  std::uint64_t seed = 1;
  int threads = 1;
  std::uint64_t max_memory = 0;
  bool json = false;
  bool quiet = false;
};

void declare_bench_epoch(Options& flags, BenchEpochOptions& options);
int run_bench_epoch(const BenchEpochOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
