#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "cli/interrupts.h"
#include "cli/options.h"

namespace twofold::cli {

class Parser;

/// What run_program returns instead of an exit code where the component torch is asked for and this program
/// lacks it: main then replaces this process by twofold-torch with the same arguments.
inline constexpr int kTurnIntoTorch = -1;

/// One line of the registry.
struct Command {
  std::string path;     // "data info": the words that call it
  std::string summary;  // one line, for --help
  /// Declares the flags and returns what to do once they are parsed.
  std::function<std::function<int(std::ostream& out, std::ostream& err)>(Options& flags)> declare;
};

/// Runs the command within --max-memory (0: the default), of the whole process.
int run_within_memory(std::uint64_t max_memory, int threads, const std::function<int()>& run);

/// What `--max-memory` and `--threads` were given as; 0 and 1 for a command that has no such option.
template <typename Values>
auto max_memory_of(const Values& values, int) -> decltype(std::uint64_t{values.max_memory}) {
  return values.max_memory;
}
template <typename Values>
std::uint64_t max_memory_of(const Values&, long) {
  return 0;
}
template <typename Values>
auto threads_of(const Values& values, int) -> decltype(int{values.threads}) {
  return values.threads;
}
template <typename Values>
int threads_of(const Values&, long) {
  return 1;
}

/// A command from the two functions its file offers.
template <typename Values>
Command make_command(std::string path, std::string summary, void (*declare)(Options&, Values&),
                     int (*run)(const Values&, std::ostream&, std::ostream&)) {
  return {std::move(path), std::move(summary), [declare, run](Options& flags) {
            auto values = std::make_shared<Values>();
            declare(flags, *values);
            return [values, run](std::ostream& out, std::ostream& err) {
              return run_within_memory(max_memory_of(*values, 0), threads_of(*values, 0),
                                       [&] { return run(*values, out, err); });
            };
          }};
}

/// What --help of the first word of two says: "data".
std::string group_summary(const std::string& group);
/// What twofold --help says last.
std::string program_footer();

/// Declares all commands and returns their options, in the same order; `chosen` becomes what the one that is
/// named does.
std::vector<Options*> declare_commands(const std::vector<Command>& commands, Parser& parser,
                                       std::function<int(std::ostream&, std::ostream&)>& chosen);

/// Parses `arguments` (without the program's name), runs the command and returns the exit code:
/// 0 done, 1 failed, 2 wrong command line, or kTurnIntoTorch. Errors are said on `err`.
int run_program(const std::vector<Command>& commands, const std::vector<std::string>& arguments,
                std::ostream& out, std::ostream& err);

/// As main() does it: streams, interrupts, and twofold-torch where it is needed.
int run_main(const std::vector<Command>& commands, int argc, char** argv);

}  // namespace twofold::cli
