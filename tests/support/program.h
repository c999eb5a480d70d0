#pragma once

#include <string>

namespace twofold::testing {

struct ProgramResult {
  int exit_code = 0;  // 128 + the signal's number if one ended it
  std::string out;
  std::string err;
};

/// Runs a command with bash in `folder`, the programs of this build first on the PATH, standard input empty,
/// and the path of the folder tests/ in TWOFOLD_TESTS. What programs note of a user goes to .state in the folder.
ProgramResult run_in_shell(const std::string& command, const std::string& folder);

}  // namespace twofold::testing
