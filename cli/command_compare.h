#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cli/options.h"

namespace twofold::cli {

struct CompareOptions {
  std::vector<std::string> runs;
  bool any_splits = false;
  int best_runs = 0;            // of each fold's final runs; 0: all
  std::string format = "text";  // text, latex, markdown or csv
  bool json = false;
  bool quiet = false;
};

void declare_compare(Options& flags, CompareOptions& options);
int run_compare(const CompareOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
