#include "twofold/model/model_table.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/spelling.h"
#include "twofold/model/option_table.h"

namespace twofold::model {
namespace {

struct ModelRow {
  const char* name;
  unsigned bit;
  bool is_network;
  ModelKind kind;           // of a network
  gram::KernelKind kernel;  // of a kernel
};
constexpr auto kNoKernel = gram::KernelKind::kWlSubtree;
constexpr auto kNoNetwork = ModelKind::k2WlGnn;
constexpr ModelRow kModels[] = {
    {"2-wl-gnn", kTwoWl, true, ModelKind::k2WlGnn, kNoKernel},
    {"2-gnn", kTwoGnn, true, ModelKind::k2Gnn, kNoKernel},
    {"gin", kGin, true, ModelKind::kGin, kNoKernel},
    {"gcn", kGcn, true, ModelKind::kGcn, kNoKernel},
    {"sage", kSage, true, ModelKind::kSage, kNoKernel},
    {"mlp", kMlp, true, ModelKind::kMlp, kNoKernel},
    {"wl-st", kWlSt, false, kNoNetwork, gram::KernelKind::kWlSubtree},
    {"wl-sp", kWlSp, false, kNoNetwork, gram::KernelKind::kWlShortestPath},
    {"2-lwl", kTwoLwl, false, kNoNetwork, gram::KernelKind::kLocalSets},
    {"2-gwl", kTwoGwl, false, kNoNetwork, gram::KernelKind::kGlobalSets},
    {"2-wl", kTwoWlKernel, false, kNoNetwork, gram::KernelKind::kRows},
};

Model make_model(const ModelRow& row) {
  Model model{row.name, row.is_network, row.kind, row.kernel, {}};
  for (const OptionRow& one : option_table()) {
    if ((one.models & row.bit) == 0) continue;
    ModelOption option = one.option;
    for (const OptionRow::Otherwise& otherwise : one.otherwise) {
      if ((otherwise.models & row.bit) == 0) continue;
      if (!otherwise.fallback.is_null()) option.fallback = otherwise.fallback;
      if (!otherwise.words.empty()) option.words = otherwise.words;
    }
    model.options.push_back(std::move(option));
  }
  return model;
}

// As people type it: `GIN`, `2_WL_GNN`.
std::string plain_name(std::string name) {
  for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

}  // namespace

const ModelOption* Model::find(const std::string& option) const {
  for (const ModelOption& known : options)
    if (known.name == option ||
        std::find(known.aliases.begin(), known.aliases.end(), option) != known.aliases.end())
      return &known;
  return nullptr;
}

std::string Model::option_names() const {
  std::string text;
  for (const ModelOption& option : options) text += (text.empty() ? "" : ", ") + option.name;
  return text;
}

const std::vector<Model>& models() {
  static const std::vector<Model> all = [] {
    std::vector<Model> made;
    for (const ModelRow& row : kModels) made.push_back(make_model(row));
    return made;
  }();
  return all;
}

const Model& find_model(const std::string& name) {
  const std::string plain = plain_name(name);
  std::vector<std::string> names;
  for (const Model& model : models()) {
    if (model.name == plain) return model;
    names.push_back(model.name);
  }
  const std::string meant = most_similar(plain, names);
  throw UsageError(fmt::format("needed a model {}, found {}{}", join(names), in_quotes(name),
                               meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
}

std::string model_names() {
  std::vector<std::string> names;
  for (const Model& model : models()) names.push_back(model.name);
  return join(names);
}

const std::vector<SharedOption>& all_options() {
  static const std::vector<SharedOption> all = [] {
    std::vector<SharedOption> shared;
    for (const OptionRow& row : option_table()) {
      SharedOption one;
      for (const Model& model : models())
        if (const ModelOption* option = model.find(row.option.name)) {
          if (one.models.empty()) one.option = *option;
          one.models.push_back(&model);
        }
      shared.push_back(std::move(one));
    }
    return shared;
  }();
  return all;
}

std::string allowed_values(const ModelOption& option) {
  switch (option.kind) {
    case OptionKind::kBool:
      return "true or false";
    case OptionKind::kInteger:
      return fmt::format("an integer in {:.0f}..{:.0f}", option.least, option.most);
    case OptionKind::kReal:
      return fmt::format("a number in {:g}..{:g}", option.least, option.most);
    case OptionKind::kRadius:
      return "1, 2, … or all";
    case OptionKind::kText:
      return "a word";
    case OptionKind::kWord:
      return join(option.words);
  }
  return "";
}

bool fits(const ModelOption& option, Config& value) {
  const auto in_range = [&] {
    return value.get<double>() >= option.least && value.get<double>() <= option.most;
  };
  switch (option.kind) {
    case OptionKind::kBool:
      return value.is_boolean();
    case OptionKind::kInteger:
      return value.is_number_integer() && in_range();
    case OptionKind::kReal:
      if (!value.is_number() || !std::isfinite(value.get<double>()) || !in_range()) return false;
      value = value.get<double>();
      return true;
    case OptionKind::kRadius:
      return (value.is_number_integer() && in_range()) || value == "all";
    case OptionKind::kText:
      return value.is_string() && !value.get_ref<const std::string&>().empty();
    case OptionKind::kWord:
      return value.is_string() && std::find(option.words.begin(), option.words.end(),
                                            value.get<std::string>()) != option.words.end();
  }
  return false;
}

Config parse_value(const ModelOption& option, const std::string& text) {
  Config value = text;
  if (option.kind == OptionKind::kBool && (text == "true" || text == "false")) value = text == "true";
  if (option.kind == OptionKind::kInteger || option.kind == OptionKind::kRadius) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) value = number;
  }
  if (option.kind == OptionKind::kReal) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) value = number;
  }
  if (!fits(option, value))
    throw UsageError(
        fmt::format("--{}: needed {}, found {}", option.name, allowed_values(option), in_quotes(text)));
  return value;
}

const ModelOption& require_option(const Model& model, const std::string& name) {
  if (const ModelOption* option = model.find(name)) return *option;
  throw UsageError(
      fmt::format("--{} is no option of {}, which has {}", name, model.name, model.option_names()));
}

Config fallback_config(const Model& model) {
  Config config = Config::object();
  for (const ModelOption& option : model.options) config[option.name] = option.fallback;
  return config;
}

Config full_config(const Model& model, const Config& given) {
  Config config = fallback_config(model);
  const auto is_given = [&](const char* option, const Config& value) {
    return given.contains(option) && given.at(option) == value;
  };
  const auto is_joined = [&] { return config.at("pooling").get<std::string>().find('+') != std::string::npos; };
  if (is_given("head", "none") && is_joined()) config["pooling"] = "mean";
  // What single graphs are normalized by in training is not what they are normalized by later.
  if (is_given("batch", 1) && config.value("norm", "none") == "batch") config["norm"] = "layer";
  config.update(given);
  return config;
}

LearnSettings settings_of(const Model& model, const Config& config) {
  LearnSettings settings;
  settings.is_kernel = !model.is_network;
  settings.kernel.kind = model.kernel;
  settings.model = plain_options(model.kind);
  for (const ModelOption& option : model.options) {
    const Config& value = config.at(option.name);
    try {
      option.set(settings, value);
    } catch (const Config::type_error&) {  // a record that was written by hand, or damaged
      throw UsageError(fmt::format("--{}: needed a value as {}, found {}", option.name, option.fallback.dump(),
                                   value.dump(-1, ' ', false, Config::error_handler_t::replace)));
    }
  }
  if (model.is_network) {
    check_options(settings.model);
    check_options(settings.train);
  }
  return settings;
}

void add_newer_options(const Model& model, Config& config) {
  for (const ModelOption& option : model.options)
    if (!option.before.is_null() && !config.contains(option.name)) config[option.name] = option.before;
}

Config config_of(const Model& model, const LearnSettings& settings) {
  Config config = Config::object();
  for (const ModelOption& option : model.options) config[option.name] = option.get(settings);
  return config;
}

const Model& model_of(const LearnSettings& settings) {
  return find_model(settings.is_kernel ? gram::kernel_name(settings.kernel.kind)
                                       : to_string(settings.model.model));
}

}  // namespace twofold::model
