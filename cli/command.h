#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "cli/interrupts.h"
#include "cli/options.h"

namespace twofold::cli {

class Parser;

/// What a command returns instead of an exit code when libtorch is needed after all:
/// main then replaces this process by twofold-learn with the same arguments.
inline constexpr int kTurnIntoLearn = -1;

/// One line of the registry.
struct Command {
  std::string path;     // "data info": the words that call it
  std::string summary;  // one line, for --help
  /// Declares the flags and returns what to do once they are parsed. Empty for a command of twofold-learn.
  std::function<std::function<int(std::ostream& out, std::ostream& err)>(Options& flags)> declare;
};

/// A command from the two functions its file offers.
template <typename Values>
Command make_command(std::string path, std::string summary, void (*declare)(Options&, Values&),
                     int (*run)(const Values&, std::ostream&, std::ostream&)) {
  return {std::move(path), std::move(summary), [declare, run](Options& flags) {
            auto values = std::make_shared<Values>();
            declare(flags, *values);
            return [values, run](std::ostream& out, std::ostream& err) { return run(*values, out, err); };
          }};
}

/// Gives the command `path` of the registry what it does in this program.
template <typename Values>
void set_command(std::vector<Command>& commands, const std::string& path, void (*declare)(Options&, Values&),
                 int (*run)(const Values&, std::ostream&, std::ostream&)) {
  for (Command& command : commands)
    if (command.path == path) command = make_command(path, command.summary, declare, run);
}

/// A command that lives in twofold-learn; here only its name is known.
Command learn_command(std::string path, std::string summary);

/// Declares all commands; `chosen` becomes what the one that is named does.
void declare_commands(const std::vector<Command>& commands, Parser& parser,
                      std::function<int(std::ostream&, std::ostream&)>& chosen);

/// Parses `arguments` (without the program's name), runs the command and returns the exit code:
/// 0 done, 1 failed, 2 wrong command line, or kTurnIntoLearn. Errors are said on `err`.
int run_program(const std::vector<Command>& commands, const std::vector<std::string>& arguments,
                std::ostream& out, std::ostream& err);

/// As main() does it: streams, interrupts, and twofold-learn where it is needed.
int run_main(const std::vector<Command>& commands, int argc, char** argv);

}  // namespace twofold::cli
