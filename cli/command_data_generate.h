#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cli/generate_family.h"
#include "cli/options.h"

namespace twofold::cli {

struct DataGenerateOptions {
  std::string family;                // a name out of generate_families()
  std::vector<std::string> unknown;  // words that are no family's name
  GenerateChoices choices;           // the family's own flags, and the seed
  std::string output = "-";          // - for standard output
  std::string format;                // empty: by the output's ending
  bool drop_data = false;            // leave out what the format cannot hold
  bool json = false;
};

void declare_data_generate(Options& flags, DataGenerateOptions& options);
int run_data_generate(const DataGenerateOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
