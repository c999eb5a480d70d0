#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <ostream>
#include <string>

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

void declare_embed(CLI::App& app, EmbedOptions& options);
int run_embed(const EmbedOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
