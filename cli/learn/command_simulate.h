#pragma once

#include <CLI/CLI.hpp>

#include <ostream>
#include <string>

namespace twofold::cli {

struct SimulateOptions {
  std::string model;
  std::string output;
  bool json = false;
};

void declare_simulate(CLI::App& app, SimulateOptions& options);
int run_simulate(const SimulateOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
