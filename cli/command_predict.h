#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "cli/options.h"
#include "twofold/io/molecules.h"

namespace twofold::cli {

struct PredictOptions {
  std::string model;
  std::string dataset;
  std::string output;  // empty: standard output
  bool score = false;
  double interval = 0;  // the level of intervals; 0: none
  io::MoleculeOptions molecules;
  int threads = 0;
  std::uint64_t max_memory = 0;
  bool json = false;
  bool quiet = false;
};

void declare_predict(Options& flags, PredictOptions& options);
int run_predict(const PredictOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
