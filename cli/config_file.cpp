#include "cli/config_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/model/model_table.h"
#include "twofold/record/toml_reader.h"

namespace twofold::cli {
namespace {

using record::TomlValue;

// As the command line would say it: several values with commas between.
std::string value_text(const TomlValue& value, const std::string& place) {
  if (value.is_list() && !value.items.empty()) {
    std::string text;
    for (const TomlValue& item : value.items) {
      if (item.is_list()) throw UsageError(fmt::format("{}: needed one list, found lists within it", place));
      text += (text.empty() ? "" : ",") + value_text(item, place);
    }
    return text;
  }
  if (value.scalar.is_string()) return value.scalar.get<std::string>();
  if (value.scalar.is_number_float()) return fmt::format("{}", value.scalar.get<double>());
  if (!value.scalar.is_null()) return value.scalar.dump();
  throw UsageError(fmt::format("{}: needed a text, number, true or false, found something else", place));
}

std::string known_options(const Options& flags) {
  std::vector<std::string> names;
  for (const auto& option : flags.all())
    for (const std::string& name : long_names(option->text()))
      if (name != "config" && !option->text().is_hidden) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_model(const std::string& key) {
  const auto& all = model::models();
  return std::any_of(all.begin(), all.end(), [&](const model::Model& model) { return model.name == key; });
}

void apply_config(const Options& flags, ConfigFile& config) {
  std::string text;
  try {
    text = read_file(config.path);
  } catch (const Error& error) {
    throw UsageError(fmt::format("--config: {}", error.what()));
  }
  const TomlValue file = record::parse_toml(text, config.path);
  const TomlValue* table = nullptr;
  const TomlValue* flat = nullptr;
  for (const TomlValue& node : file.items) (is_model(node.key) ? table : flat) = &node;
  if (table != nullptr && flat != nullptr)
    throw UsageError(fmt::format(
        "{}:{}: needed tables by model or plain options, found both: the table {} and, in line {}, {}",
        config.path, std::max(table->key_line, flat->key_line), in_quotes(table->key), flat->key_line,
        in_quotes(flat->key)));
  if (table != nullptr) {
    config.tables = std::move(text);
    return;
  }
  for (const TomlValue& node : file.items) {
    const std::string& name = node.key;
    const std::string place = fmt::format("{}:{}", config.path, node.key_line);
    Option* option = flags.find(name);
    if (option == nullptr || name == "config")
      throw UsageError(fmt::format("{}: needed an option {}, or tables by model, found {}", place,
                                   known_options(flags), in_quotes(name)));
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

void declare_config(Options& flags, ConfigFile& config) {
  flags
      .add("--config", config.path,
           "Take options from here, by their long names or in tables by model; the command line goes first")
      .type_name("FILE.toml");
  flags.on_parsed([&flags, &config] {
    if (!config.path.empty()) apply_config(flags, config);
  });
}

}  // namespace twofold::cli
