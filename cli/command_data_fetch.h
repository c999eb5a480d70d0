#pragma once

#include <ostream>

#include "cli/options.h"
#include "twofold/io/fetch.h"

namespace twofold::cli {

struct DataFetchOptions {
  io::FetchOptions fetch;
  bool json = false;
  bool quiet = false;
};

void declare_data_fetch(Options& flags, DataFetchOptions& options);
int run_data_fetch(const DataFetchOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
