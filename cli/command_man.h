#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/command.h"

namespace twofold::cli {

/// `twofold man -o FOLDER`: a man page for each of `commands`. Packaging calls it; --help does not show it.
Command man_command(std::vector<Command> commands);

/// The pages by file name: twofold.1, twofold-data-info.1, … Option texts are those of --help.
std::map<std::string, std::string> man_pages(const std::vector<Command>& commands);

}  // namespace twofold::cli
