#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace twofold::cli {

/// `twofold completion SHELL`: the script that makes bash, zsh or fish complete `commands`.
Command completion_command(std::vector<Command> commands);

/// The script for `shell`. Throws UsageError for a shell it does not know.
std::string completion_script(const std::vector<Command>& commands, const std::string& shell);

}  // namespace twofold::cli
