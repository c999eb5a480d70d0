#include "cli/config_file.h"

#include <fmt/format.h>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/record/toml_reader.h"

namespace twofold::cli {
namespace {

std::string value_text(const record::TomlValue& value, const std::string& place) {
  if (value.scalar.is_string()) return value.scalar.get<std::string>();
  if (value.scalar.is_number_float()) return fmt::format("{}", value.scalar.get<double>());
  if (!value.scalar.is_null()) return value.scalar.dump();
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
  for (const record::TomlValue& node : record::parse_toml(text, path).items) {
    const std::string& name = node.key;
    const std::string place = fmt::format("{}:{}", path, node.key_line);
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
