#include "tests/support/transcript.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool matches(const std::vector<std::string>& pattern, std::size_t p, const std::vector<std::string>& lines,
             std::size_t i) {
  if (p == pattern.size()) return i == lines.size();
  if (pattern[p] == "...") {
    for (std::size_t skip = i; skip <= lines.size(); ++skip)
      if (matches(pattern, p + 1, lines, skip)) return true;
    return false;
  }
  return i < lines.size() && pattern[p] == lines[i] && matches(pattern, p + 1, lines, i + 1);
}

std::vector<TranscriptStep> parse_lines(const std::vector<std::string>& lines, bool in_blocks_only) {
  std::vector<TranscriptStep> steps;
  bool in_block = !in_blocks_only;
  bool in_step = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (in_blocks_only && line.rfind("```", 0) == 0) {
      in_block = !in_block && line == "```console";
      in_step = false;
      continue;
    }
    if (!in_block) continue;
    if (line.rfind("$ ", 0) == 0) {
      TranscriptStep step;
      step.line = i + 1;
      step.command = line.substr(2);
      while (!step.command.empty() && step.command.back() == '\\' && i + 1 < lines.size())
        step.command += "\n" + lines[++i];
      steps.push_back(step);
      in_step = true;
    } else if (in_step) {
      if (line.rfind("[exit ", 0) == 0)
        steps.back().exit_code = std::atoi(line.c_str() + 6);
      else
        steps.back().output.push_back(line);
    }
    if (in_step) steps.back().end = i + 2;
  }
  // Empty lines before the next command only part the steps.
  for (TranscriptStep& step : steps)
    while (!step.output.empty() && step.output.back().empty()) {
      step.output.pop_back();
      --step.end;
    }
  return steps;
}

/// Why this build cannot run the command; empty if it can.
std::string missing_here([[maybe_unused]] const std::string& command) {
#ifndef TWOFOLD_TORCH
  static const std::regex needs_torch("gather-scatter|--device");
  if (std::regex_search(command, needs_torch)) return "needs twofold-torch";
#endif
#ifdef __SANITIZE_ADDRESS__
  if (command.find("--max-memory") != std::string::npos)
    return "the sanitizer holds more memory than the limit";
  if (command.find("mem-per-cpu") != std::string::npos) return "the sanitizer's memory is measured too";
#endif
  return "";
}

/// What steps that did not run would have written: the words behind `-o`, `>` and options that name a file.
class MissingFiles {
 public:
  void add_outputs_of(const std::string& command) {
    static const std::regex output("(?:-o|--log|--checkpoint|--cache|--gnuplot|>>?)\\s*([^\\s;&|<>]+)");
    for (std::sregex_iterator match(command.begin(), command.end(), output), end; match != end; ++match)
      names_.push_back((*match)[1]);
  }

  /// The first of them that the command names; empty if none.
  std::string named_by(const std::string& command) const {
    for (const std::string& name : names_)
      for (std::size_t at = command.find(name); at != std::string::npos; at = command.find(name, at + 1)) {
        const auto is_part = [](char c) {
          return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
        };
        const std::size_t behind = at + name.size();
        if ((at == 0 || !is_part(command[at - 1])) && (behind == command.size() || !is_part(command[behind])))
          return name;
      }
    return "";
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

std::vector<TranscriptStep> parse_transcript(const std::string& text) {
  return parse_lines(split_lines(text), false);
}

std::vector<TranscriptStep> parse_markdown_transcript(const std::string& text) {
  return parse_lines(split_lines(text), true);
}

void run_transcript(const std::string& file, const std::vector<TranscriptStep>& steps) {
  const bool update = std::getenv("TWOFOLD_UPDATE") != nullptr;
  const std::string path = std::string(TWOFOLD_SOURCE_DIR) + "/" + file;
  std::vector<std::string> lines = split_lines(read_file(path));
  const TemporaryFolder folder;
  std::ptrdiff_t moved = 0;
  std::vector<std::string> skipped;
  MissingFiles missing;
  for (const TranscriptStep& step : steps) {
    std::string why = missing_here(step.command);
    if (const std::string name = missing.named_by(step.command); why.empty() && !name.empty())
      why = "needs " + name + ", which a step above would have written";
    if (!why.empty()) {
      skipped.push_back(fmt::format("{}:{}: {}", file, step.line, why));
      missing.add_outputs_of(step.command);
      continue;
    }
    const ProgramResult result = run_in_shell(step.command, folder.path());
    auto seen = split_lines(result.out);
    if (result.exit_code != 0)
      for (const std::string& line : split_lines(result.err)) seen.push_back(line);
    const bool same = matches(step.output, 0, seen, 0) && result.exit_code == step.exit_code;
    if (!same && update) {
      if (result.exit_code != 0) seen.push_back(fmt::format("[exit {}]", result.exit_code));
      const auto commands = 1 + std::count(step.command.begin(), step.command.end(), '\n');
      const auto first = lines.begin() + static_cast<std::ptrdiff_t>(step.line) - 1 + commands + moved;
      const auto last = lines.begin() + static_cast<std::ptrdiff_t>(step.end) - 1 + moved;
      moved += static_cast<std::ptrdiff_t>(seen.size()) - (last - first);
      lines.insert(lines.erase(first, last), seen.begin(), seen.end());
    } else if (!same) {
      ADD_FAILURE() << file << ":" << step.line << ": $ " << step.command << "\nneeded exit " << step.exit_code
                    << " and:\n"
                    << fmt::format("{}", fmt::join(step.output, "\n")) << "\n\nfound exit " << result.exit_code
                    << " and:\n"
                    << fmt::format("{}", fmt::join(seen, "\n")) << "\n";
    }
    if (result.exit_code == 0 && !result.err.empty())
      ADD_FAILURE() << file << ":" << step.line << ": $ " << step.command << "\nsaid on standard error:\n"
                    << result.err;
  }
  if (!skipped.empty()) {
    const std::string said = fmt::format("{} of {} steps were not run:\n{}\n", skipped.size(), steps.size(),
                                         fmt::join(skipped, "\n"));
    if (skipped.size() == steps.size()) GTEST_SKIP() << said;
    std::cout << said;
  }
  if (update) {
    std::ofstream out(path);
    for (const std::string& line : lines) out << line << '\n';
  }
}

std::vector<std::string> files_below(const std::string& folder, const std::string& ending) {
  const fs::path source = TWOFOLD_SOURCE_DIR;
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
    const std::string name = fs::relative(entry.path(), source).string();
    if (entry.is_regular_file() && name.size() > ending.size() &&
        name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
      files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace twofold::testing
