#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "cli/kernel_flags.h"
#include "cli/options.h"

namespace twofold::cli {

struct FeaturesCommandOptions {
  std::string dataset;
  KernelFlags kernel;
  bool normalize = false;
  std::string output;
  std::string vocabulary;       // empty: of this dataset's graphs
  std::string save_vocabulary;  // empty: not kept
  std::string names;            // empty: not written
  int threads = 0;
  std::uint64_t max_memory = 0;
  bool json = false;
  bool quiet = false;
};

void declare_features(Options& flags, FeaturesCommandOptions& options);
int run_features(const FeaturesCommandOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
