#include "cli/command_man.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/command_tree.h"
#include "cli/version.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::cli {
namespace {

// Text that roff prints as it stands: a hyphen stays one, and no line begins a request.
std::string roff(const std::string& text) {
  std::string result;
  bool is_start = true;
  for (const char c : text) {
    if (is_start && (c == '.' || c == '\'')) result += "\\&";
    is_start = c == '\n';
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string page_name(const std::string& path) {
  std::string name = path.empty() ? "twofold" : "twofold " + path;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string option_entry(const OptionText& option) {
  std::string names = option.names;
  for (std::size_t comma = names.find(','); comma != std::string::npos; comma = names.find(',', comma + 2))
    names.insert(comma + 1, " ");
  std::string entry = fmt::format(".TP\n\\fB{}\\fR", roff(names));
  if (!option.value.empty()) entry += fmt::format(" \\fI{}\\fR", roff(option.value));
  entry += "\n" + roff(option.meaning);
  if (!option.words.empty() && option.meaning.find(option.words.front()) == std::string::npos)
    entry += roff(fmt::format(": {}", fmt::join(option.words, ", ")));
  if (option.is_required) entry += " (required)";
  if (!option.usual.empty()) entry += fmt::format(" [{}]", roff(option.usual));
  return entry + "\n";
}

std::string synopsis(const CommandPlace& place) {
  std::string line = fmt::format("\\fB{}\\fR", roff(place.path.empty() ? "twofold" : "twofold " + place.path));
  if (!place.words.empty()) return line + " \\fICOMMAND\\fR …\n";
  for (const OptionText& option : place.options)
    if (option.is_argument)
      line += fmt::format(option.is_required ? " \\fI{}\\fR{}" : " [\\fI{}\\fR{}]", roff(option.names),
                          option.is_list ? " …" : "");
  return line + " [\\fIOPTIONS\\fR]\n";
}

std::string page(const CommandPlace& place) {
  const std::string name = page_name(place.path);
  const std::string summary =
      place.path.empty() ? "higher-order Weisfeiler-Leman graph learning" : place.summary;
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = fmt::format(".TH {} 1 \"\" \"{}\" \"twofold\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
                                 roff(upper), roff(version_line()), roff(name), roff(summary), synopsis(place));
  if (!place.words.empty()) {
    text += ".SH COMMANDS\n";
    for (const auto& [word, meaning] : place.words)
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(word), roff(meaning));
  }
  if (!place.options.empty()) text += ".SH OPTIONS\n";
  std::string group;
  for (const OptionText& option : place.options) {
    if (option.group != group && !option.group.empty()) text += fmt::format(".SS {}\n", roff(option.group));
    group = option.group;
    text += option_entry(option);
  }
  if (!place.footer.empty()) text += fmt::format(".SH DESCRIPTION\n.nf\n{}\n.fi\n", roff(place.footer));
  text += ".SH EXIT STATUS\n0 done, 1 failed, 2 wrong command line, 130 interrupted.\n.SH SEE ALSO\n";
  std::vector<std::string> others;
  if (!place.path.empty()) {
    const auto space = place.path.rfind(' ');
    others.push_back(page_name(space == std::string::npos ? "" : place.path.substr(0, space)));
  }
  for (const auto& [word, meaning] : place.words)
    others.push_back(page_name(place.path.empty() ? word : place.path + " " + word));
  for (std::size_t i = 0; i < others.size(); ++i)
    text += fmt::format("{}\\fB{}\\fR(1)", i == 0 ? "" : ", ", roff(others[i]));
  return text + "\n";
}

}  // namespace

std::map<std::string, std::string> man_pages(const std::vector<Command>& commands) {
  std::map<std::string, std::string> pages;
  for (const CommandPlace& place : command_places(commands)) pages[page_name(place.path) + ".1"] = page(place);
  return pages;
}

Command man_command(std::vector<Command> commands) {
  Command command{"man", "Man pages of all commands, for packaging",
                  [commands = std::move(commands)](Options& flags) {
                    auto folder = std::make_shared<std::string>();
                    declare_output(flags, *folder, "Write them into this folder; made if need be")
                        .required()
                        .type_name("FOLDER");
                    flags.footer(R"(
Examples:
  twofold man -o man1 && man -l man1/twofold-wl-classes.1)");
                    return [folder, commands](std::ostream& out, std::ostream&) {
                      std::error_code failed;
                      std::filesystem::create_directories(*folder, failed);
                      if (failed)
                        throw Error(fmt::format("cannot make the folder {}: {}", *folder, failed.message()));
                      const auto pages = man_pages(commands);
                      for (const auto& [name, text] : pages) {
                        AtomicFile file(*folder + "/" + name);
                        file.write(text);
                        file.commit();
                      }
                      out << fmt::format("{}: {} pages\n", *folder, pages.size());
                      return 0;
                    };
                  }};
  return command;
}

}  // namespace twofold::cli
