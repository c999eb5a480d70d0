#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "twofold/wl/classify.h"
#include "twofold/wl/wl_test.h"

namespace twofold::cli {

// What all `wl` commands take.
struct WlOptions {
  std::string dataset;
  std::string test = "2-wl";
  std::string radius = "1";
  int marks = 0;
  bool json = false;
  int threads = 0;
  std::uint64_t max_memory = 0;
};

void declare_wl(CLI::App& app, WlOptions& options);

/// Throws UsageError for an unknown test or radius.
wl::WlTest test_of(const WlOptions& options);
wl::ClassifyOptions classify_options_of(const WlOptions& options);

/// {test, radius, marks}: the radius a number, "all", or null for a test that has none.
nlohmann::ordered_json to_json(const wl::WlTest& test);

}  // namespace twofold::cli
