#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

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
  std::string marks = "0";
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::uint64_t max_memory = 0;
};

void declare_wl(Options& flags, WlOptions& options);
/// The same, and --test, --radius and --marks take lists (tests_of).
void declare_wl_lists(Options& flags, WlOptions& options);

/// Throws UsageError for an unknown test or radius.
wl::WlTest test_of(const WlOptions& options);

/// The words between commas, none of them empty; throws UsageError, with the option's name, for an empty one.
std::vector<std::string> split_list(const std::string& text, const std::string& option);
/// 0 to 1000, as --marks takes them; throws UsageError.
int parse_marks(const std::string& word);

/// Every test with every radius (those that have none once) and every number of marks: `1-wl,2-wl`, `1,2`,
/// `0,1` are 1-wl, 2-wl of radius 1 and 2, then the same with a mark. Each once. Throws UsageError.
std::vector<wl::WlTest> tests_of(const std::string& tests, const std::string& radii, const std::string& marks);

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
