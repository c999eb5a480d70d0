#include "cli/command.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <memory>

#include "cli/interrupts.h"
#include "cli/parser.h"
#include "cli/printable_output.h"
#include "cli/progress.h"
#include "cli/turn_into_torch.h"
#include "cli/version.h"
#include "twofold/base/error.h"
#include "twofold/base/memory_limit.h"
#include "twofold/base/simd.h"
#include "twofold/train/tensor_engine.h"

namespace twofold::cli {
namespace {

constexpr const char* kFooter = R"(
Start here:
  twofold data info TRIANGLE              a built-in dataset and its statistics
  twofold data info DIR…                  the same for TU folders of your own
  twofold data generate --help            graphs that are hard to tell apart
  twofold wl classes FILE                 which graphs of a file a Weisfeiler-Leman test can tell apart
  twofold train TRIANGLE -o t.model       a 2-WL-GNN; then: twofold explain t.model TRIANGLE --graph 200 -o why.svg
  twofold reproduce table1 --quick -o p   the paper's first table, ours beside it, as a page
  twofold COMMAND --help                  what a command does, with examples

A DATASET is a TU folder or its zip, a JSON-lines file, a graph6 or sparse6 file, - for standard input, or TRIANGLE.
Results go to standard output, words to standard error. Exit codes: 0 done, 1 failed, 2 wrong command line.)";

struct GroupSummary {
  const char* name;
  const char* summary;
};
constexpr GroupSummary kGroups[] = {
    {"data", "Look at, generate, convert and fetch datasets"},
    {"wl", "Color refinement: which graphs can be told apart"},
    {"reproduce", "The paper's tables and figures, and ours"},
    {"bench", "How fast training is on this machine"},
};

// Why the first words are no command, with those that are; empty if they are one or ask for help.
std::string unknown_command(const std::vector<Command>& commands, const std::vector<std::string>& arguments) {
  const auto names_option = [&](std::size_t i) {
    return i < arguments.size() && arguments[i].rfind('-', 0) == 0;
  };
  std::string group;
  for (std::size_t depth = 0;; ++depth) {
    if (names_option(depth)) return "";
    std::vector<std::string> words;
    for (const Command& command : commands) {
      if (command.path.rfind(group, 0) != 0) continue;
      const std::string rest = command.path.substr(group.size());
      const std::string word = rest.substr(0, rest.find(' '));
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
    const std::string found = depth < arguments.size() ? in_quotes(arguments[depth]) : "none";
    if (depth == arguments.size() || std::find(words.begin(), words.end(), arguments[depth]) == words.end())
      return fmt::format("needed a command {}{}, found {}", group, fmt::join(words, ", " + group), found);
    group += arguments[depth] + " ";
    const auto is_group = [&](const Command& command) { return command.path.rfind(group, 0) == 0; };
    if (std::none_of(commands.begin(), commands.end(), is_group)) return "";
  }
}

}  // namespace

std::string group_summary(const std::string& group) {
  for (const GroupSummary& known : kGroups)
    if (group == known.name) return known.summary;
  return "";
}

std::string program_footer() { return kFooter; }

std::vector<Options*> declare_commands(const std::vector<Command>& commands, Parser& parser,
                                       std::function<int(std::ostream&, std::ostream&)>& chosen) {
  std::vector<Options*> declared;
  std::vector<std::string> groups;
  for (const Command& command : commands) {
    const auto space = command.path.find(' ');
    const std::string group = command.path.substr(0, space);
    if (space != std::string::npos && std::find(groups.begin(), groups.end(), group) == groups.end()) {
      groups.push_back(group);
      parser.add_group(group, group_summary(group));
    }
    auto run = std::make_shared<std::function<int(std::ostream&, std::ostream&)>>();
    Options& flags = parser.add_command(command.path, command.summary, [&chosen, run] { chosen = *run; });
    *run = command.declare(flags);
    declared.push_back(&flags);
  }
  return declared;
}

int run_within_memory(std::uint64_t max_memory, int threads, const std::function<int()>& run) {
  const MemoryLimit limit(max_memory, threads);
  return run();
}

int run_program(const std::vector<Command>& commands, const std::vector<std::string>& given, std::ostream& out,
                std::ostream& err) {
  // `help train` asks what `train --help` asks.
  std::vector<std::string> arguments = given;
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.push_back("--help");
  }
  const std::string unknown = unknown_command(commands, arguments);
  if (!unknown.empty()) {
    fmt::print(err, "twofold: {}\nsee twofold --help\n", unknown);
    return 2;
  }

  Parser parser("twofold",
                "Higher-order Weisfeiler-Leman graph learning: tell graphs apart, learn from them, see why.",
                version_line(), kFooter);
  std::function<int(std::ostream&, std::ostream&)> chosen;
  declare_commands(commands, parser, chosen);
  const PrintableOutput safe_out(out);
  const PrintableOutput safe_err(err);
  try {
    parser.parse(arguments);
    return chosen(out, err);
  } catch (const AskedText& asked) {
    out << asked.text;
    return 0;
  } catch (const train::MissingTensorEngine&) {
    return kTurnIntoTorch;
  } catch (const UsageError& error) {
    fmt::print(err, "{}: {}\nsee {} --help\n", parser.called(), error.what(), parser.called());
    return 2;
  } catch (const InputError& error) {  // starts with its place, FILE:LINE, where editors look for it
    fmt::print(err, "{}\n", error.what());
    return 1;
  } catch (const Error& error) {
    fmt::print(err, "{}: {}\n", parser.called(), error.what());
    return 1;
  } catch (const std::exception& error) {
    if (is_out_of_memory(error)) {
      fmt::print(err, "{}: {}\n", parser.called(), out_of_memory_text());
      return 1;
    }
    fmt::print(err, "{}: this is a bug in twofold, please report it: {}\n", parser.called(), error.what());
    return 1;
  }
}

int run_main(const std::vector<Command>& commands, int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  leave_on_interrupts();
  try {
    use_simd_level_of_environment();
  } catch (const UsageError& error) {
    std::cerr << "twofold: " << error.what() << '\n';
    return 2;
  }
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  int code = run_program(commands, arguments, std::cout, std::cerr);
  if (code == kTurnIntoTorch) {
    // First the attempt, then words: they would be on the terminal before a program that succeeds takes over.
    hold_interrupts();
    const std::string why = turn_into_torch(argv);
    release_interrupts();
    std::cerr << "twofold: --engine gather-scatter and --device need the component torch: " << why << '\n';
    return 1;
  }
  errno = 0;
  std::cout.flush();
  if (!std::cout && code == 0) {
    std::cerr << "twofold: cannot write standard output: " << system_error_text(errno != 0 ? errno : EIO)
              << '\n';
    code = 1;
  }
  return code;
}

}  // namespace twofold::cli
