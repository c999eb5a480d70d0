#include "cli/config_file.h"

#include <fmt/format.h>
// toml++ 3.3 as a header of templates; its exceptions are turned into ours.
#include <toml++/toml.h>

#include <sstream>

#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::cli {
namespace {

std::string value_text(const toml::node& node, const std::string& place) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  throw UsageError(fmt::format("{}: needed a text, number, true or false, found something else", place));
}

std::string known_options(const Options& flags) {
  std::vector<std::string> names;
  for (const auto& option : flags.all())
    for (const std::string& name : long_names(option->text()))
      if (name != "config") names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void apply_config(const Options& flags, const std::string& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const Error& error) {
    throw UsageError(fmt::format("--config: {}", error.what()));
  }
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw UsageError(
        fmt::format("{}:{}: {}", path, error.source().begin.line, std::string(error.description())));
  }
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const std::string place = fmt::format("{}:{}", path, key.source().begin.line);
    Option* option = flags.find(name);
    if (option == nullptr || name == "config")
      throw UsageError(
          fmt::format("{}: needed an option {}, found {}", place, known_options(flags), in_quotes(name)));
    const std::string value = value_text(node, place);
    if (option->is_given()) continue;
    try {
      option->set(value);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", place, error.what()));
    }
  }
}

}  // namespace

void declare_config(Options& flags, std::string& path) {
  flags.add("--config", path, "Take options from here, by their long names; the command line goes first")
      .type_name("FILE.toml");
  flags.on_parsed([&flags, &path] {
    if (!path.empty()) apply_config(flags, path);
  });
}

}  // namespace twofold::cli
