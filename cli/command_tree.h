#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/parser.h"

namespace twofold::cli {

/// One place of the command line, for man pages and shell completion: "", "data", "data info", "data generate
/// srg".
struct CommandPlace {
  std::string path;
  std::string summary;
  std::string footer;                                      // explanations and examples
  std::vector<OptionText> options;                         // without those that are hidden
  std::vector<std::pair<std::string, std::string>> words;  // that can follow, each with its summary
};

/// All places of `commands`, each before those below it. What is said there is what --help says: both come from
/// the declarations of the options.
std::vector<CommandPlace> command_places(const std::vector<Command>& commands);

/// `commands` and, behind them, `completion` and `man`, which describe them all.
std::vector<Command> with_descriptions(std::vector<Command> commands);

}  // namespace twofold::cli
