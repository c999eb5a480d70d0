#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cli/options.h"

namespace twofold::cli {

struct ReportOptions {
  std::vector<std::string> runs;
  std::string output;
  std::string title;
  int watch = 0;  // seconds between two looks; 0: look once
  bool json = false;
  bool quiet = false;
};

void declare_report(Options& flags, ReportOptions& options);
int run_report(const ReportOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
