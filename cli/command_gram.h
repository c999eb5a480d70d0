#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "cli/kernel_flags.h"
#include "cli/options.h"

namespace twofold::cli {

struct GramCommandOptions {
  std::string dataset;
  KernelFlags kernel;
  std::string combine = "product";
  bool normalize = false;
  std::string output;  // empty: none is written
  int threads = 0;
  std::uint64_t max_memory = 0;
  bool json = false;
  bool quiet = false;
};

void declare_gram(Options& flags, GramCommandOptions& options);
int run_gram(const GramCommandOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
