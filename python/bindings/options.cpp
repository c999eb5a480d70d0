// The table of models and options, from which the package makes its classes.
#include "bindings/options.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "bindings/json.h"
#include "bindings/parts.h"

namespace twofold::python {
namespace {

const char* word_of(model::OptionKind kind) {
  switch (kind) {
    case model::OptionKind::kBool:
      return "bool";
    case model::OptionKind::kInteger:
      return "integer";
    case model::OptionKind::kReal:
      return "real";
    case model::OptionKind::kWord:
      return "word";
    case model::OptionKind::kText:
      return "text";
    case model::OptionKind::kRadius:
      return "radius";
  }
  return "";
}

// Whether the value is of another kind than the option, whatever it is.
bool is_other_kind(const model::ModelOption& option, const model::Config& value) {
  switch (option.kind) {
    case model::OptionKind::kBool:
      return !value.is_boolean();
    case model::OptionKind::kInteger:
      return !value.is_number_integer();
    case model::OptionKind::kReal:
      return !value.is_number();
    case model::OptionKind::kWord:
    case model::OptionKind::kText:
      return !value.is_string();
    case model::OptionKind::kRadius:
      return !value.is_number_integer() && !value.is_string();
  }
  return false;
}

py::list models() {
  py::list all;
  for (const model::Model& model : model::models()) {
    py::list options;
    for (const model::ModelOption& option : model.options) {
      py::dict row;
      row["name"] = option.name;
      row["keyword"] = python_name(option.name);
      row["kind"] = word_of(option.kind);
      row["default"] = to_python(option.fallback);
      row["meaning"] = option.meaning;
      row["allowed"] = model::allowed_values(option);
      row["words"] = option.words;
      options.append(row);
    }
    py::dict row;
    row["name"] = model.name;
    row["is_network"] = model.is_network;
    row["options"] = options;
    all.append(row);
  }
  return all;
}

}  // namespace

std::string python_name(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

model::Config checked_value(const model::ModelOption& option, const py::handle& given) {
  model::Config value = to_config(given, python_name(option.name));
  if (model::fits(option, value)) return value;
  const std::string message = fmt::format("{}: needed {}, found {}", python_name(option.name),
                                          model::allowed_values(option), shown(given));
  if (is_other_kind(option, value)) throw py::type_error(message);
  throw py::value_error(message);
}

model::Config config_of(const model::Model& model, const py::dict& keywords) {
  model::Config asked = model::Config::object();
  for (const auto& [key, value] : keywords) {
    std::string name = key.cast<std::string>();
    std::replace(name.begin(), name.end(), '_', '-');
    const model::ModelOption* const option = model.find(name);
    if (option == nullptr)
      throw py::type_error(fmt::format("{} is no option of {}, which has {}", key.cast<std::string>(),
                                       model.name, python_name(model.option_names())));
    if (value.is_none()) continue;
    // Estimators hand over all of their parameters: one that is at its default was not asked for.
    model::Config checked = checked_value(*option, value);
    if (checked != option->fallback) asked[option->name] = std::move(checked);
  }
  return model::full_config(model, asked);
}

void add_options(py::module_& module) {
  module.def("models", models);
  module.def("check_options", [](const std::string& model, const py::dict& keywords) {
    const model::Model& known = model::find_model(model);
    const model::Config config = config_of(known, keywords);
    model::settings_of(known, config);
    return to_python(config);
  });
}

}  // namespace twofold::python
