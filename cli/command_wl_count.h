#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.h"

namespace twofold::cli {

struct WlCountOptions {
  std::string dataset;
  std::string cycles = "3-7";
  std::string patterns;       // words as graph::parse_patterns takes them, in place of cycles
  std::string per = "graph";  // graph, node or edge
  std::vector<std::string> against;
  std::vector<std::string> radii = {"1"};
  int marks = 0;
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::uint64_t max_memory = 0;
};

void declare_wl_count(Options& flags, WlCountOptions& options);
int run_wl_count(const WlCountOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
