#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "cli/options.h"

namespace twofold::cli {

struct EmbedOptions {
  std::string model;
  std::string dataset;
  std::string output;
  int threads = 0;
  std::uint64_t max_memory = 0;
  bool json = false;
  bool quiet = false;
};

void declare_embed(Options& flags, EmbedOptions& options);
int run_embed(const EmbedOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
