#pragma once

#include <CLI/CLI.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace twofold::cli {

struct CompareOptions {
  std::vector<std::string> runs;
  bool any_splits = false;
  bool json = false;
};

void declare_compare(CLI::App& app, CompareOptions& options);
int run_compare(const CompareOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
