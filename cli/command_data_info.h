#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.h"
#include "twofold/io/molecules.h"

namespace twofold::cli {

struct DataInfoOptions {
  std::vector<std::string> datasets;
  std::string radius;            // of pairs: count rows and triples; empty: do not
  int rounds = -1;               // and the colors after 0…rounds rounds of 2-wl; negative: do not
  bool duplicates = false;       // graphs that look the same to 1-wl, or with a radius to 2-wl
  bool no_graph_radius = false;  // leave out the one figure that can take long
  io::MoleculeOptions molecules;
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::uint64_t max_memory = 0;
};

void declare_data_info(Options& flags, DataInfoOptions& options);
int run_data_info(const DataInfoOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
