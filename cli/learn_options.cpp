#include "cli/learn_options.h"

#include <algorithm>

#include "twofold/base/error.h"

namespace twofold::cli {
namespace {

using model::Config;
using model::Model;
using model::ModelOption;
using model::OptionKind;

std::string text_of(const Config& value) {
  if (value.is_number_float()) return fmt::format("{:g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string names_of(const std::vector<const Model*>& models) {
  std::string text;
  for (const Model* model : models) text += (text.empty() ? "" : ", ") + model->name;
  return text;
}

// The heading: which models have the option.
std::string heading(const model::SharedOption& shared) {
  std::size_t networks = 0, kernels = 0;
  for (const Model& model : model::models()) ++(model.is_network ? networks : kernels);
  const bool are_networks = shared.models.front()->is_network;
  if (shared.models.size() == (are_networks ? networks : kernels))
    return are_networks ? "All networks" : fmt::format("Kernels ({})", names_of(shared.models));
  return names_of(shared.models);
}

// `tanh; gcn, sage: relu`: the default of most models, and those of the others.
std::string usual_values(const model::SharedOption& shared) {
  std::vector<std::pair<std::string, std::vector<const Model*>>> values;
  for (const Model* model : shared.models) {
    const std::string value = text_of(model->find(shared.option.name)->fallback);
    const auto same =
        std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == value; });
    if (same == values.end())
      values.push_back({value, {model}});
    else
      same->second.push_back(model);
  }
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::string text = values[0].first;
  for (std::size_t i = 1; i < values.size(); ++i)
    text += fmt::format("; {}: {}", names_of(values[i].second), values[i].first);
  return text;
}

std::string value_name(const ModelOption& option) {
  switch (option.kind) {
    case OptionKind::kBool:
      return "BOOL";
    case OptionKind::kInteger:
      return "N";
    case OptionKind::kReal:
      return "X";
    case OptionKind::kRadius:
      return "R";
    case OptionKind::kWord:
    case OptionKind::kText:
      return "WORD";
  }
  return "";
}

// All words that any of the models takes; limits of numbers.
std::string allowed_text(const model::SharedOption& shared) {
  switch (shared.option.kind) {
    case OptionKind::kBool:
    case OptionKind::kText:
      return "";
    case OptionKind::kInteger:
      return fmt::format(" ({:.0f}..{:.0f})", shared.option.least, shared.option.most);
    case OptionKind::kReal:
      return fmt::format(" ({:g}..{:g})", shared.option.least, shared.option.most);
    case OptionKind::kRadius:
    case OptionKind::kWord:
      return fmt::format(" ({})", model::allowed_values(shared.option));
  }
  return "";
}

// One value, or several with commas between.
std::vector<Config> parse_values(const ModelOption& option, const std::string& text) {
  std::vector<Config> values;
  for (std::size_t start = 0; start <= text.size();) {
    const auto comma = std::min(text.find(',', start), text.size());
    values.push_back(model::parse_value(option, text.substr(start, comma - start)));
    start = comma + 1;
  }
  return values;
}

// A value that no model takes is found where it is read, so that the line of a configuration file is named. The
// model may not be known yet: what only some refuse is found later.
void require_fitting(const ModelOption& option, const std::string& text) {
  try {
    parse_values(option, text);
  } catch (const UsageError& error) {
    // Whoever reads the option says its name.
    throw UsageError(std::string(error.what()).substr(fmt::format("--{}: ", option.name).size()));
  }
}

}  // namespace

Option& declare_model(Options& flags, std::string& model) {
  return flags
      .add_call(
          "--model", [&model](const std::string& text) { model = model::find_model(text).name; },
          model::model_names())
      .type_name("MODEL");
}

void declare_learning(Options& flags, GivenOptions& given, GivenValues values) {
  for (const model::SharedOption& shared : model::all_options()) {
    const std::string name = shared.option.name;
    const auto take = [&given, &shared, name](const std::string& text) {
      require_fitting(shared.option, text);
      // Of an option given twice the last counts, as of all others.
      given.erase(
          std::remove_if(given.begin(), given.end(), [&](const auto& one) { return one.first == name; }),
          given.end());
      given.emplace_back(name, text);
    };
    const std::string value = value_name(shared.option);
    const auto declare = [&](const std::string& option) -> Option& {
      Option& declared = flags.add_call(
          "--" + option, take,
          fmt::format("{}{} [{}]", shared.option.meaning, allowed_text(shared), usual_values(shared)));
      declared.type_name(values == GivenValues::kOne ? value : fmt::format("{0}[,{0}…]", value))
          .group(heading(shared));
      if (shared.option.kind == OptionKind::kBool) declared.optional_value("true");
      return declared;
    };
    declare(name);
    for (const std::string& alias : shared.option.aliases) declare(alias).hidden();
  }
}

void declare_targets(Options& flags, model::TargetChoice& choice) {
  flags
      .add("--target", choice.targets,
           "Learn these real targets, by name or counted from 1 [the classes, if there are any, else all]")
      .comma_separated()
      .type_name("T[,T…]");
  flags
      .add("--task", choice.task,
           "Whether targets of graphs are classes or values [classes, if they are whole or texts]; or learn "
           "nodes, or "
           "links [if the dataset has targets of these alone]")
      .one_of({"classes", "values", "nodes", "links"})
      .type_name("KIND");
}

void declare_split_seed(Options& flags, std::uint64_t& seed) {
  flags.add("--split-seed", seed, "Which graphs are held out follows from it, and from nothing else")
      .show_default()
      .type_name("N");
}

eval::Overrides parse_given(const Model& model, const GivenOptions& given) {
  eval::Overrides overrides;
  for (const auto& [name, text] : given) {
    const ModelOption& option = model::require_option(model, name);
    overrides.emplace_back(name, parse_values(option, text));
  }
  return overrides;
}

model::LearnSettings resolve_timed(const std::string& name, const GivenOptions& given) {
  const Model& model = model::find_model(name);
  Config asked = Config::object();
  if (model.is_network && model::has_pair_rows(model.kind)) {
    asked = {{"layers", 3}, {"norm", "none"}, {"pooling", "max"}};
    if (model.find("gate") != nullptr) asked["gate"] = "linear";
  }
  for (const auto& [option, values] : parse_given(model, given)) {
    if (values.size() != 1)
      throw UsageError(fmt::format("--{}: needed one value, found {}", option, values.size()));
    asked[model::require_option(model, option).name] = values[0];
  }
  return model::settings_of(model, model::full_config(model, asked));
}

}  // namespace twofold::cli
