#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "cli/interrupts.h"

namespace twofold::cli {

/// What a command returns instead of an exit code when libtorch is needed after all:
/// main then replaces this process by twofold-learn with the same arguments.
inline constexpr int kTurnIntoLearn = -1;

/// One line of the registry.
struct Command {
  std::string path;     // "data info": the words that call it
  std::string summary;  // one line, for --help
  /// Adds the flags to `app` and returns what to do once they are parsed. Empty for a command of twofold-learn.
  std::function<std::function<int(std::ostream& out, std::ostream& err)>(CLI::App& app)> declare;
};

/// A command from the two functions its file offers.
template <typename Options>
Command make_command(std::string path, std::string summary, void (*declare)(CLI::App&, Options&),
                     int (*run)(const Options&, std::ostream&, std::ostream&)) {
  return {std::move(path), std::move(summary), [declare, run](CLI::App& app) {
            auto options = std::make_shared<Options>();
            declare(app, *options);
            return [options, run](std::ostream& out, std::ostream& err) { return run(*options, out, err); };
          }};
}

/// A command that lives in twofold-learn; here only its name is known.
Command learn_command(std::string path, std::string summary);

/// Parses `arguments` (without the program's name), runs the command and returns the exit code:
/// 0 done, 1 failed, 2 wrong command line, or kTurnIntoLearn. Errors are said on `err`.
int run_program(const std::vector<Command>& commands, const std::vector<std::string>& arguments,
                std::ostream& out, std::ostream& err);

/// As main() does it: streams, interrupts, and twofold-learn where it is needed.
int run_main(const std::vector<Command>& commands, int argc, char** argv);

}  // namespace twofold::cli
