#include "cli/command_completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command_tree.h"
#include "twofold/base/error.h"

namespace twofold::cli {
namespace {

// In single quotes for any of the three shells.
std::string quoted(const std::string& text, const char* escaped_quote) {
  std::string result = "'";
  for (const char c : text)
    if (c == '\'')
      result += escaped_quote;
    else
      result += c;
  return result + "'";
}
std::string posix_quoted(const std::string& text) { return quoted(text, "'\\''"); }
std::string fish_quoted(const std::string& text) {
  std::string doubled;
  for (const char c : text) doubled += c == '\\' ? "\\\\" : std::string(1, c);
  return quoted(doubled, "\\'");
}

// "-o", "--output".
std::vector<std::string> names_of(const OptionText& option) {
  std::vector<std::string> names;
  std::size_t start = 0;
  while (!option.is_argument && start < option.names.size()) {
    const std::size_t comma = std::min(option.names.find(',', start), option.names.size());
    names.push_back(option.names.substr(start, comma - start));
    start = comma + 1;
  }
  return names;
}

// The words that lead somewhere: `data`, `data info`, … as a pattern of a case.
std::string known_paths(const std::vector<CommandPlace>& places) {
  std::string patterns;
  for (const CommandPlace& place : places)
    if (!place.path.empty()) patterns += (patterns.empty() ? "" : " | ") + posix_quoted(" " + place.path);
  return patterns;
}

std::string bash_script(const std::vector<CommandPlace>& places) {
  std::string by_path;
  std::string by_option;
  for (const CommandPlace& place : places) {
    std::string options = "--help";
    if (place.path.empty()) options += " --version";
    std::string words;
    for (const auto& [word, summary] : place.words) words += (words.empty() ? "" : " ") + word;
    const std::string path = place.path.empty() ? "" : " " + place.path;
    for (const OptionText& option : place.options)
      for (const std::string& name : names_of(option)) {
        options += " " + name;
        if (!option.words.empty())
          by_option += fmt::format("    {}) COMPREPLY=($(compgen -W {} -- \"$current\")); return ;;\n",
                                   posix_quoted(path + " " + name),
                                   posix_quoted(fmt::format("{}", fmt::join(option.words, " "))));
      }
    by_path += fmt::format("    {}) words={} options={} ;;\n", posix_quoted(path), posix_quoted(words),
                           posix_quoted(options));
  }
  return fmt::format(R"(# Completion of twofold for bash. Made by: twofold completion bash
_twofold() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} path='' word words='' options=''
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path $word" in
      {}) path="$path $word" ;;
    esac
  done
  case "$path ${{COMP_WORDS[COMP_CWORD-1]}}" in
{}  esac
  case "$path" in
{}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _twofold twofold
)",
                     known_paths(places), by_option, by_path);
}

// NAME:TEXT for zsh's _describe, in which a colon of the name would end it.
std::string zsh_item(const std::string& name, const std::string& text) {
  std::string escaped;
  for (const char c : name) escaped += c == ':' ? "\\:" : std::string(1, c);
  return posix_quoted(escaped + ":" + text);
}

std::string zsh_script(const std::vector<CommandPlace>& places) {
  std::string by_path;
  std::string by_option;
  for (const CommandPlace& place : places) {
    const std::string path = place.path.empty() ? "" : " " + place.path;
    std::string options = zsh_item("--help", "Print help and exit");
    if (place.path.empty()) options += " " + zsh_item("--version", "Print the version and exit");
    std::string words;
    for (const auto& [word, summary] : place.words) words += " " + zsh_item(word, summary);
    for (const OptionText& option : place.options)
      for (const std::string& name : names_of(option)) {
        options += " " + zsh_item(name, option.meaning);
        if (option.words.empty()) continue;
        std::string values;
        for (const std::string& word : option.words) values += " " + posix_quoted(word);
        by_option += fmt::format("    {}) compadd --{}; return ;;\n", posix_quoted(path + " " + name), values);
      }
    by_path += fmt::format("    {}) places=({}) options=({}) ;;\n", posix_quoted(path), words, options);
  }
  return fmt::format(R"(#compdef twofold
# Completion of twofold for zsh. Made by: twofold completion zsh
_twofold() {{
  local place='' word
  local -a places options
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    case "$place $word" in
      {}) place="$place $word" ;;
    esac
  done
  case "$place ${{words[CURRENT-1]}}" in
{}  esac
  case "$place" in
{}  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o 'option' options
  elif (( $#places )); then
    _describe 'command' places
  else
    _files
  fi
}}
if [[ $funcstack[1] == _twofold ]]; then _twofold "$@"; else compdef _twofold twofold; fi
)",
                     known_paths(places), by_option, by_path);
}

std::string fish_script(const std::vector<CommandPlace>& places) {
  std::string lines;
  std::string paths;
  for (const CommandPlace& place : places) {
    if (!place.path.empty()) paths += " " + fish_quoted(" " + place.path);
    const std::string here =
        fmt::format("complete -c twofold -n {}",
                    fish_quoted("__twofold_at " + fish_quoted(place.path.empty() ? "" : " " + place.path)));
    for (const auto& [word, summary] : place.words)
      lines += fmt::format("{} -f -a {} -d {}\n", here, fish_quoted(word), fish_quoted(summary));
    for (const OptionText& option : place.options) {
      if (option.is_argument) continue;
      std::string line = here;
      for (const std::string& name : names_of(option))
        line += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.words.empty())
        line += fmt::format(" -x -a {}", fish_quoted(fmt::format("{}", fmt::join(option.words, " "))));
      else if (!option.is_flag)
        line += " -r";
      lines += fmt::format("{} -d {}\n", line, fish_quoted(option.meaning));
    }
    lines += fmt::format("{} -l help -d {}\n", here, fish_quoted("Print help and exit"));
  }
  return fmt::format(R"(# Completion of twofold for fish. Made by: twofold completion fish
function __twofold_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    if contains -- "$place $word"{}
      set place "$place $word"
    end
  end
  test "$place" = "$argv[1]"
end
{})",
                     paths, lines);
}

}  // namespace

std::string completion_script(const std::vector<Command>& commands, const std::string& shell) {
  const std::vector<CommandPlace> places = command_places(commands);
  if (shell == "bash") return bash_script(places);
  if (shell == "zsh") return zsh_script(places);
  if (shell == "fish") return fish_script(places);
  throw UsageError(fmt::format("SHELL: needed bash, zsh or fish, found {}", in_quotes(shell)));
}

Command completion_command(std::vector<Command> commands) {
  return {"completion", "The script that completes twofold in bash, zsh or fish",
          [commands = std::move(commands)](Options& flags) {
            auto shell = std::make_shared<std::string>();
            flags.add("SHELL", *shell, "bash, zsh or fish")
                .required()
                .one_of({"bash", "zsh", "fish"})
                .type_name("");
            flags.footer(R"(
The installed package brings these scripts along. Elsewhere:
  bash   twofold completion bash > ~/.local/share/bash-completion/completions/twofold
  zsh    twofold completion zsh > ~/.zfunc/_twofold, with fpath+=~/.zfunc before compinit in ~/.zshrc
  fish   twofold completion fish > ~/.config/fish/completions/twofold.fish

Examples:
  source <(twofold completion bash))");
            return [shell, commands](std::ostream& out, std::ostream&) {
              out << completion_script(commands, *shell);
              return 0;
            };
          }};
}

}  // namespace twofold::cli
