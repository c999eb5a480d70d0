#pragma once

#include <CLI/CLI.hpp>

#include <ostream>

#include "twofold/io/fetch.h"

namespace twofold::cli {

struct DataFetchOptions {
  io::FetchOptions fetch;
  bool json = false;
  bool quiet = false;
};

void declare_data_fetch(CLI::App& app, DataFetchOptions& options);
int run_data_fetch(const DataFetchOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
