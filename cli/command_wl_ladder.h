#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/pair_test.h"

namespace twofold::cli {

struct WlLadderOptions {
  std::vector<std::string> datasets;  // none: the generated families
  bool by_class = false;
  bool hard = false;    // 400 hard pairs in place of the generated families
  bool graphs = false;  // files are graphs, not pairs
  bool brec = false;    // a file is the benchmark BREC: its categories are families
  // Lists with commas; all empty: the rungs of ladder_tests().
  std::string tests;
  std::string radii;
  std::string marks;
  bool networks = false;
  bool trained = false;
  std::string output;  // a page .html, or a table .csv, .tex or .md; empty: none
  std::uint64_t seed = 1;
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::uint64_t max_memory = 0;
};

void declare_wl_ladder(Options& flags, WlLadderOptions& options);
int run_wl_ladder(const WlLadderOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
