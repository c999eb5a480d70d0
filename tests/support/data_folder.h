#pragma once

#include <cstdlib>
#include <string>

namespace twofold::testing {

/// The folder with the real datasets, from the environment; empty if there is none, and then the test is
/// skipped:
///
///     const std::string data = data_folder();
///     if (data.empty()) GTEST_SKIP() << kNeedsData;
inline std::string data_folder() {
  const char* folder = std::getenv("TWOFOLD_DATA");
  return folder == nullptr ? "" : folder;
}

inline constexpr const char* kNeedsData = "needs the real datasets: set TWOFOLD_DATA to their folder";

}  // namespace twofold::testing
