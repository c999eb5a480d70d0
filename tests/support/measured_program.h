#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace twofold::testing {

struct MeasuredResult : ProgramResult {
  // The most that the process and all it started held together, in bytes.
  std::uint64_t peak = 0;
};

/// Runs `twofold` of this build with these arguments in `folder`, standard input empty.
MeasuredResult run_measured(const std::vector<std::string>& arguments, const std::string& folder);

}  // namespace twofold::testing
