#pragma once

#include <ostream>
#include <string>

#include "cli/options.h"
#include "twofold/io/molecules.h"

namespace twofold::cli {

struct DataConvertOptions {
  std::string from;
  std::string to;
  std::string format;       // empty: by the ending of `to`
  bool undirected = false;  // edges instead of arcs
  bool drop_data = false;   // leave out what the format cannot hold
  io::MoleculeOptions molecules;
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::uint64_t max_memory = 0;
};

void declare_data_convert(Options& flags, DataConvertOptions& options);
int run_data_convert(const DataConvertOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
