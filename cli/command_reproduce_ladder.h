#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/pair_test.h"

namespace twofold::cli {

struct ReproduceLadderOptions {
  std::vector<std::string> datasets;  // none: the generated families
  bool by_class = false;
  bool networks = false;
  bool trained = false;
  std::string output;  // a page; empty: none
  std::uint64_t seed = 1;
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::uint64_t max_memory = 0;
};

void declare_reproduce_ladder(Options& flags, ReproduceLadderOptions& options);
int run_reproduce_ladder(const ReproduceLadderOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
