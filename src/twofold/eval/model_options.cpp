#include "twofold/eval/model_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/gram/kernel.h"

namespace twofold::eval {
namespace {

constexpr double kMillion = 1e6;
constexpr double kMany = 1e9;
const std::vector<std::string> kActivations = {"identity", "relu", "logistic", "tanh"};

ModelOption integer(std::string name, int fallback, double least, double most, std::string meaning) {
  return {std::move(name), OptionKind::kInteger, fallback, std::move(meaning), least, most, {}};
}
ModelOption real(std::string name, double fallback, double least, double most, std::string meaning) {
  return {std::move(name), OptionKind::kReal, fallback, std::move(meaning), least, most, {}};
}
ModelOption flag(std::string name, bool fallback, std::string meaning) {
  return {std::move(name), OptionKind::kBool, fallback, std::move(meaning), 0, 0, {}};
}
ModelOption word(std::string name, std::string fallback, std::vector<std::string> words, std::string meaning) {
  return {std::move(name), OptionKind::kWord, std::move(fallback), std::move(meaning), 0, 0, std::move(words)};
}

std::vector<ModelOption> training_options() {
  return {
      integer("batch", 32, 1, kMillion, "Graphs a batch"),
      integer("batch-rows", 0, 0, kMany, "Close a batch at so many rows; 0: no limit"),
      integer("batch-rows-max", 0, 0, kMany, "Add no graph that makes a batch so many rows; 0: no limit"),
      flag("shuffle", true, "Draw new batches every epoch"),
      integer("epochs", 1000, 1, kMillion, "Epochs at most"),
      integer("patience", 100, 1, kMillion, "Stop after so many epochs without a better validation"),
      word("stop-on", "loss", {"loss", "metric"}, "What of the validation graphs has to get better"),
      real("min-delta", 0.0001, 0, kMany, "By how much it has to"),
      word("keep", "best", {"best", "last"}, "Which epoch's weights are kept"),
      real("lr", 0.001, 1e-12, 1000, "Learning rate of Adam"),
      integer("lr-halve", 0, 0, kMillion, "Halve the learning rate every so many epochs; 0: never"),
      real("weight-decay", 0, 0, 1000, "L2 penalty of the weights"),
  };
}

ModelOption layers(int fallback) {
  return integer("layers", fallback, 1, 1000, "Convolutions, one after the other");
}
ModelOption width() { return integer("width", 32, 1, 100000, "Features of a row or node in hidden layers"); }
ModelOption activation(const char* fallback) {
  return word("activation", fallback, kActivations, "After a convolution");
}
ModelOption dropout() { return real("dropout", 0, 0, 0.999, "Share of features dropped in training"); }
ModelOption node_attributes() { return flag("node-attributes", true, "See real node attributes"); }

Model pair_network(const std::string& name) {
  const bool is_2wl = name == "2-wl-gnn";
  Model model{name, true, {}};
  auto& options = model.options;
  if (is_2wl)
    options.push_back(
        {"radius", OptionKind::kRadius, 1, "Pairs up to this distance have a row", 1, 2147483647, {}});
  options.push_back(layers(3));
  options.push_back(width());
  options.push_back(activation("logistic"));
  if (is_2wl)
    options.push_back(
        word("inner-activation", "logistic", kActivations, "Inside the sum over common neighbors"));
  options.push_back(
      word("pooling", "weighted-mean", {"mean", "weighted-mean", "sum", "max", "min"}, "Rows to graph"));
  options.push_back(word("attention", "stack", {"scalar", "stack"},
                         "The weights of the weighted mean: one per row, or one per channel"));
  options.push_back(flag("loops-only", false, "Pool the rows of single nodes only"));
  options.push_back(word("head", "mlp", {"mlp", "none"}, "After pooling"));
  options.push_back(flag("jumping-knowledge", false, "Join the initial features to the input of later layers"));
  options.push_back(flag("bias", true, "Convolutions add biases"));
  options.push_back(flag("indicators", true, "Features say which rows are loops, edges, indirect"));
  for (ModelOption& option : training_options()) options.push_back(std::move(option));
  options.push_back(
      word("engine", "auto", {"auto", "colors", "fused", "gather-scatter"}, "How it is computed"));
  return model;
}

Model vertex_network(const std::string& name) {
  Model model{name, true, {layers(4), width()}};
  auto& options = model.options;
  if (name != "gin") options.push_back(activation("relu"));
  if (name == "gin")
    options.push_back(flag("train-eps", false, "Learn how much a node weighs against its neighbors"));
  options.push_back(word("pooling", "sum", {"mean", "sum", "max"}, "Vertices to graph"));
  if (name == "gin") options.push_back(dropout());
  options.push_back(node_attributes());
  for (ModelOption& option : training_options()) options.push_back(std::move(option));
  return model;
}

Model baseline() {
  Model model{"mlp", true, {}};
  model.options = {word("variant", "deep-sets", {"deep-sets", "fingerprint"},
                        "A layer on each node before the sum, or the sum of raw features first"),
                   width(), node_attributes()};
  for (ModelOption& option : training_options()) model.options.push_back(std::move(option));
  return model;
}

Model kernel(const std::string& name, int iterations) {
  return {name,
          false,
          {integer("iterations", iterations, 0, gram::kMaxIterations, "Refinements after the initial colors"),
           flag("edge-labels", false, "Let edge labels enter the colors"),
           flag("normalize", false, "Take cosine values instead of raw counts"),
           real("penalty", 1, 1e-12, 1e12, "C of the support vector machine"),
           real("tolerance", 0.001, 1e-9, 1, "Where libsvm stops")}};
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
    if (known.name == option) return &known;
  return nullptr;
}

std::string Model::option_names() const {
  std::string text;
  for (const ModelOption& option : options) text += (text.empty() ? "" : ", ") + option.name;
  return text;
}

const std::vector<Model>& models() {
  static const std::vector<Model> all = {pair_network("2-wl-gnn"), pair_network("2-gnn"),
                                         vertex_network("gin"),    vertex_network("gcn"),
                                         vertex_network("sage"),   baseline(),
                                         kernel("wl-st", 5),       kernel("wl-sp", 3),
                                         kernel("2-lwl", 3),       kernel("2-gwl", 3)};
  return all;
}

const Model& find_model(const std::string& name) {
  std::vector<std::string> names;
  for (const Model& model : models()) {
    if (model.name == name) return model;
    names.push_back(model.name);
  }
  throw UsageError(fmt::format("needed a model {}, found {}", join(names), in_quotes(name)));
}

std::vector<ModelOption> all_model_options() {
  std::vector<ModelOption> all;
  for (const Model& model : models())
    for (const ModelOption& option : model.options) {
      const auto same = [&](const ModelOption& known) { return known.name == option.name; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(option);
    }
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

Config fallback_config(const Model& model) {
  Config config = Config::object();
  for (const ModelOption& option : model.options) config[option.name] = option.fallback;
  return config;
}

}  // namespace twofold::eval
