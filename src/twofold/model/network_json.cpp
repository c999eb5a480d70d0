#include "twofold/model/network_json.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/model/model_table.h"

namespace twofold::model {
namespace {

// What forms of layers stand for.
bool is_of_forms(const std::string& option) {
  return option == "layers" || option == "width" || option == "inner-activation";
}

// UsageErrors are about the command line; here it is the file that is wrong.
template <typename Act>
decltype(auto) read(const record::JsonView& place, const Act& act) {
  try {
    return act();
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: {}", place.source(), error.what()));
  }
}

void set_shape(LearnSettings& settings, const record::JsonView& json) {
  settings.model.task = read(json, [&] { return parse_task_kind(json.at("task").text()); });
  settings.model.outputs = static_cast<int>(json.at("outputs").count(1'000'000));
  if (json.at("about").is_there())
    settings.model.about = read(json, [&] { return parse_target_of(json.at("about").text()); });
}

void set_forms(LearnSettings& settings, const record::JsonView& json) {
  ModelOptions& model = settings.model;
  model.layer_forms = read(json, [&] { return parse_layer_forms(json.at("layer_forms").text()); });
  if (model.layer_forms.empty()) json.at("layer_forms").refuse("forms of layers");
  model.layers = static_cast<int>(model.layer_forms.size());
  // Without a head the width is not used.
  if (model.head == Head::kMlp) model.width = model.layer_forms.back().channels();
}

LearnSettings checked(LearnSettings settings, const record::JsonView& json) {
  read(json, [&] { check_options(settings.model); });
  return settings;
}

void set_option(LearnSettings& settings, const ModelOption& option, Config value,
                const record::JsonView& place) {
  if (!fits(option, value)) place.refuse(allowed_values(option));
  read(place, [&] { option.set(settings, value); });
}

void refuse_unknown(const record::JsonView& json, const std::vector<std::string>& known) {
  for (const auto& item : json.object().items())
    if (std::find(known.begin(), known.end(), item.key()) == known.end())
      throw_input_error(json.source(), 0, fmt::format("model options {}", fmt::join(known, ", ")),
                        in_quotes(item.key()));
}

LearnSettings start(const Model& model) { return settings_of(model, fallback_config(model)); }

const Model& network_of(const record::JsonView& name) {
  const Model& model = read(name, [&]() -> const Model& { return find_model(name.text()); });
  if (!model.is_network || model.name != name.text()) name.refuse("a network");
  return model;
}

}  // namespace

Config network_json(const LearnSettings& settings) {
  const Model& model = model_of(settings);
  Config options = config_of(model, settings);
  const bool has_forms = !settings.model.layer_forms.empty();
  if (has_forms)
    for (const ModelOption& option : model.options)
      if (is_of_forms(option.name)) options.erase(option.name);
  Config json = {{"name", model.name},
                 {"options", std::move(options)},
                 {"task", to_string(settings.model.task)},
                 {"outputs", settings.model.outputs}};
  if (settings.model.about != TargetOf::kGraphs) json["about"] = to_string(settings.model.about);
  if (has_forms) json["layer_forms"] = to_string(settings.model.layer_forms);
  return json;
}

std::string describe(const ModelOptions& options) {
  LearnSettings settings;
  settings.model = options;
  return network_json(settings).dump();
}

LearnSettings network_from_json(const record::JsonView& json) {
  refuse_unknown(json, {"name", "options", "task", "outputs", "about", "layer_forms"});
  const Model& model = network_of(json.at("name"));
  LearnSettings settings = start(model);
  const bool has_forms = json.at("layer_forms").is_there();
  const record::JsonView options = json.at("options");
  std::vector<std::string> known;
  for (const ModelOption& option : model.options) known.push_back(option.name);
  refuse_unknown(options, known);
  for (const ModelOption& option : model.options) {
    const record::JsonView value = options.at(option.name.c_str());
    if (has_forms && is_of_forms(option.name)) continue;
    if (!value.is_there() && option.before.is_null()) value.refuse(allowed_values(option));
    set_option(settings, option, value.is_there() ? options.object().at(option.name) : option.before, value);
  }
  set_shape(settings, json);
  if (has_forms) set_forms(settings, json);
  return checked(std::move(settings), json);
}

LearnSettings network_from_old_json(const record::JsonView& json) {
  const Model& model = network_of(json.at("model"));
  LearnSettings settings = start(model);
  // What the model does not have is as it was for all models of then.
  settings.model = plain_options(model.kind);
  const bool has_forms = json.at("layer_forms").is_there();
  std::vector<std::string> known = {"model", "layer_forms", "task", "outputs"};
  for (const SharedOption& shared : all_options()) {
    std::string key = shared.option.name;
    std::replace(key.begin(), key.end(), '-', '_');
    if (key == "variant") key = "mlp_form";
    if (key == "degrees") key = "degree_features";
    if (key == "standardize") break;  // options of training come from here on
    known.push_back(key);
    const record::JsonView value = json.at(key.c_str());
    if (!value.is_there() || (has_forms && is_of_forms(shared.option.name))) continue;
    const ModelOption* option = model.find(shared.option.name);
    // Radii were texts.
    if (shared.option.kind == OptionKind::kRadius) {
      const Config radius = read(value, [&] { return parse_value(shared.option, value.text()); });
      if (option != nullptr) set_option(settings, *option, radius, value);
      continue;
    }
    set_option(settings, option == nullptr ? shared.option : *option, json.object().at(key), value);
  }
  refuse_unknown(json, known);
  set_shape(settings, json);
  if (has_forms) set_forms(settings, json);
  return checked(std::move(settings), json);
}

}  // namespace twofold::model
