#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "cli/options.h"

namespace twofold::cli {

struct PredictOptions {
  std::string model;
  std::string dataset;
  std::string output;  // empty: standard output
  bool score = false;
  int threads = 0;
  std::uint64_t max_memory = 0;
  bool json = false;
  bool quiet = false;
};

void declare_predict(Options& flags, PredictOptions& options);
int run_predict(const PredictOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
