#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/options.h"

namespace twofold::cli {

/// What --help or --version asked for, thrown by Parser::parse.
struct AskedText {
  std::string text;
};

/// The command line of a program: its commands, their options, and what --help says of them.
/// All that names CLI11 is in parser.cpp.
class Parser {
 public:
  Parser(const std::string& program, const std::string& description, const std::string& version,
         const std::string& footer);
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// What --help says of the first word of commands of two words.
  void add_group(const std::string& name, const std::string& summary);
  /// `path` is "gram" or "data info"; its group must be there. `chosen` is called when the line names the
  /// command.
  Options& add_command(const std::string& path, const std::string& summary, std::function<void()> chosen);

  /// Fills the variables of the options of the command that is named. Throws AskedText, or UsageError for a
  /// line that is wrong; options that exist and look like a misspelled one are named.
  void parse(const std::vector<std::string>& arguments);
  /// The words of the deepest command that was named: "twofold data info".
  std::string called() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twofold::cli
