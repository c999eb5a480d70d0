#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "cli/options.h"
#include "cli/progress.h"
#include "twofold/base/error.h"
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
  bool quiet = false;
  int threads = 0;
  std::uint64_t max_memory = 0;
};

void declare_wl(Options& flags, WlOptions& options);

/// Throws UsageError for an unknown test or radius.
wl::WlTest test_of(const WlOptions& options);

/// What compute(ClassifyOptions) gives, with a progress line on `err` meanwhile; `unit` is what it counts.
/// An InputError about a graph is thrown on with the dataset's name in front.
template <typename Compute>
auto compute_with_progress(const WlOptions& options, std::ostream& err, const char* unit, Compute compute) {
  const std::string source = options.dataset == "-" ? "standard input" : options.dataset;
  ProgressOptions shown;
  shown.label = source;
  shown.unit = unit;
  shown.quiet = options.quiet;
  ProgressLine line(err, shown);
  wl::ClassifyOptions how;
  how.threads = options.threads;
  how.max_memory = options.max_memory;
  how.progress = line.progress();
  try {
    return compute(how);
  } catch (const InputError& error) {
    throw InputError(source + ": " + error.what());
  }
}

/// {test, radius, marks}: the radius a number, "all", or null for a test that has none.
nlohmann::ordered_json to_json(const wl::WlTest& test);

}  // namespace twofold::cli
