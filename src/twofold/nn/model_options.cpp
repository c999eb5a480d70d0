#include "twofold/nn/model_options.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/record/json_reader.h"

namespace twofold::nn {
namespace {

using nlohmann::ordered_json;

constexpr int kMostLayers = 64;
constexpr int kMostWidth = 4096;
// A simulated network takes several layers for one, and carries the features of all of them.
constexpr int kMostForms = 1024;
constexpr int kMostFormChannels = 99'999;
constexpr int kMostGroups = 1000;

template <typename E>
struct Word {
  E value;
  const char* word;
};

constexpr Word<ModelKind> kModels[] = {{ModelKind::k2WlGnn, "2-wl-gnn"}, {ModelKind::k2Gnn, "2-gnn"},
                                       {ModelKind::kGin, "gin"},         {ModelKind::kGcn, "gcn"},
                                       {ModelKind::kSage, "sage"},       {ModelKind::kMlp, "mlp"}};
constexpr Word<Pooling> kPoolings[] = {{Pooling::kMean, "mean"},
                                       {Pooling::kWeightedMean, "weighted-mean"},
                                       {Pooling::kSum, "sum"},
                                       {Pooling::kMax, "max"},
                                       {Pooling::kMin, "min"}};
constexpr Word<Attention> kAttentions[] = {{Attention::kScalar, "scalar"}, {Attention::kStack, "stack"}};
constexpr Word<Head> kHeads[] = {{Head::kMlp, "mlp"}, {Head::kNone, "none"}};
constexpr Word<MlpForm> kMlpForms[] = {{MlpForm::kPerVertex, "deep-sets"},
                                       {MlpForm::kSumOfFeatures, "fingerprint"}};
constexpr Word<Task> kTasks[] = {
    {Task::kBinary, "binary"}, {Task::kMultiClass, "multi-class"}, {Task::kRegression, "regression"}};

template <typename E, std::size_t N>
E parse_word(const Word<E> (&words)[N], const char* what, const std::string& found) {
  std::string known;
  for (std::size_t i = 0; i < N; ++i) {
    if (found == words[i].word) return words[i].value;
    known += fmt::format("{}{}", i == 0 ? "" : i + 1 == N ? " or " : ", ", words[i].word);
  }
  throw UsageError(fmt::format("needed {} {}, found {}", what, known, in_quotes(found)));
}

template <typename E, std::size_t N>
const char* word_of(const Word<E> (&words)[N], E value) {
  for (const Word<E>& word : words)
    if (word.value == value) return word.word;
  return "";
}

// Calls visit(key, field, parse) for every field; parse turns a word into the field's type where it has words.
template <typename Options, typename Visit>
void for_fields(Options& o, const Visit& visit) {
  visit("model", o.model, parse_model);
  visit("radius", o.radius, pairs::parse_radius);
  visit("layers", o.layers, nullptr);
  visit("width", o.width, nullptr);
  visit("activation", o.activation, compute::parse_activation);
  visit("inner_activation", o.inner_activation, compute::parse_activation);
  visit("indicators", o.indicators, nullptr);
  visit("bias", o.bias, nullptr);
  visit("jumping_knowledge", o.jumping_knowledge, nullptr);
  visit("pooling", o.pooling, parse_pooling);
  visit("attention", o.attention, parse_attention);
  visit("loops_only", o.loops_only, nullptr);
  visit("head", o.head, parse_head);
  visit("layer_forms", o.layer_forms, parse_layer_forms);
  visit("train_eps", o.train_eps, nullptr);
  visit("batch_norm", o.batch_norm, nullptr);
  visit("dropout", o.dropout, nullptr);
  visit("mlp_form", o.mlp_form, parse_mlp_form);
  visit("node_attributes", o.node_attributes, nullptr);
  visit("degree_features", o.degree_features, nullptr);
  visit("self_loops", o.self_loops, nullptr);
  visit("task", o.task, parse_task);
  visit("outputs", o.outputs, nullptr);
}

ordered_json options_json(const ModelOptions& options) {
  ordered_json json;
  for_fields(options, [&](const char* key, const auto& field, auto parse) {
    if constexpr (std::is_null_pointer_v<decltype(parse)>) {
      json[key] = field;
    } else {
      using namespace compute;
      using namespace pairs;
      json[key] = to_string(field);
    }
  });
  if (options.layer_forms.empty()) json.erase("layer_forms");
  return json;
}

[[noreturn]] void refuse_value(const std::string& source, const char* key, const char* needed,
                               const ordered_json& found) {
  throw_input_error(source, 0, fmt::format("{} for {}", needed, key),
                    found.is_primitive()
                        ? in_quotes(found.dump(-1, ' ', true, ordered_json::error_handler_t::replace))
                        : found.type_name());
}

void read_field(const ordered_json& value, const char* key, const std::string& source, bool& field) {
  if (!value.is_boolean()) refuse_value(source, key, "true or false", value);
  field = value.get<bool>();
}
void read_field(const ordered_json& value, const char* key, const std::string& source, int& field) {
  if (!value.is_number_integer() || value < 0 || value > 1'000'000)
    refuse_value(source, key, "an integer in 0..1000000", value);
  field = value.get<int>();
}
void read_field(const ordered_json& value, const char* key, const std::string& source, double& field) {
  if (!value.is_number()) refuse_value(source, key, "a number", value);
  field = value.get<double>();
}

void require_range(const char* name, long long value, long long low, long long high) {
  if (value < low || value > high)
    throw UsageError(fmt::format("needed {} in {}..{}, found {}", name, low, high, value));
}

std::vector<std::string> split(const std::string& text, const std::string& mark) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(mark, begin)) != std::string::npos; begin = at + mark.size())
    parts.push_back(text.substr(begin, at - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

int parse_channels(const std::string& word) {
  constexpr std::size_t kDigits = 5;
  if (word.empty() || word.size() > kDigits || word.find_first_not_of("0123456789") != std::string::npos)
    throw UsageError(
        fmt::format("needed a number of channels of up to {} digits, found {}", kDigits, in_quotes(word)));
  return std::stoi(word);
}

void refuse_combination(ModelKind model, const std::string& option) {
  throw UsageError(fmt::format("the model {} has no {}", to_string(model), option));
}

void check_forms(const ModelOptions& o) {
  if (o.model != ModelKind::k2WlGnn) refuse_combination(o.model, "forms of layers");
  if (o.jumping_knowledge || !o.bias)
    throw UsageError("needed biases and no jumping knowledge with forms of layers, found others");
  if (static_cast<std::size_t>(o.layers) != o.layer_forms.size())
    throw UsageError(
        fmt::format("needed a form for each of {} layers, found {}", o.layers, o.layer_forms.size()));
  for (const LayerForm& form : o.layer_forms) {
    require_range("groups of channels in the form of a layer", static_cast<long long>(form.groups.size()), 1,
                  kMostGroups);
    for (const ChannelGroup& group : form.groups)
      require_range("channels", group.channels, 1, kMostFormChannels);
    require_range("channels of a layer", form.channels(), 1, kMostFormChannels);
  }
  const int last = o.head == Head::kNone ? o.outputs : o.width;
  if (o.layer_forms.back().channels() != last)
    throw UsageError(fmt::format("needed {} channels in the form of the last layer, found {}", last,
                                 o.layer_forms.back().channels()));
}

}  // namespace

int LayerForm::channels() const {
  return std::accumulate(groups.begin(), groups.end(), 0,
                         [](int sum, const ChannelGroup& group) { return sum + group.channels; });
}

bool operator==(const ModelOptions& a, const ModelOptions& b) { return options_json(a) == options_json(b); }

bool has_pair_rows(ModelKind model) { return model == ModelKind::k2WlGnn || model == ModelKind::k2Gnn; }

ModelOptions default_options(ModelKind model) {
  ModelOptions options;
  options.model = model;
  if (model == ModelKind::kGcn || model == ModelKind::kSage) options.activation = Activation::kRelu;
  if (model == ModelKind::kGin || model == ModelKind::kMlp) {
    options.activation = Activation::kRelu;
    options.pooling = Pooling::kSum;
    options.jumping_knowledge = false;
  }
  return options;
}

void check_options(const ModelOptions& o) {
  const bool has_forms = !o.layer_forms.empty();
  require_range("layers", o.layers, 1, has_forms ? kMostForms : kMostLayers);
  require_range("width", o.width, 1, has_forms ? kMostFormChannels : kMostWidth);
  require_range("outputs", o.outputs, 1, 1000);
  if (o.task == Task::kMultiClass && o.outputs < 2)
    throw UsageError(fmt::format("needed 2 outputs or more for several classes, found {}", o.outputs));
  if (o.task != Task::kMultiClass && o.outputs != 1)
    throw UsageError(fmt::format("needed 1 output for the task {}, found {}", to_string(o.task), o.outputs));
  if (!(o.dropout >= 0 && o.dropout < 1))
    throw UsageError(fmt::format("needed dropout from 0 to below 1, found {}", o.dropout));
  if (o.model == ModelKind::kGin || o.model == ModelKind::kMlp) {
    if (o.pooling == Pooling::kWeightedMean) refuse_combination(o.model, "weighted mean (pooling)");
    if (o.head == Head::kNone) refuse_combination(o.model, "form without a head");
    if (o.jumping_knowledge) refuse_combination(o.model, "jumping knowledge");
  } else if (o.dropout != 0) {
    refuse_combination(o.model, "dropout");
  }
  if (!o.node_attributes && has_pair_rows(o.model))
    refuse_combination(o.model, "way to leave out node attributes");
  if (o.loops_only && !has_pair_rows(o.model))
    refuse_combination(o.model, "rows other than loops (loops only)");
  if (has_forms) check_forms(o);
}

ModelKind parse_model(const std::string& word) { return parse_word(kModels, "a model", word); }
Pooling parse_pooling(const std::string& word) { return parse_word(kPoolings, "a pooling", word); }
Attention parse_attention(const std::string& word) { return parse_word(kAttentions, "an attention", word); }
Head parse_head(const std::string& word) { return parse_word(kHeads, "a head", word); }
MlpForm parse_mlp_form(const std::string& word) { return parse_word(kMlpForms, "a variant", word); }
Task parse_task(const std::string& word) { return parse_word(kTasks, "a task", word); }

std::vector<LayerForm> parse_layer_forms(const std::string& text) {
  std::vector<LayerForm> forms;
  if (text.empty()) return forms;
  const auto in_two = [](const std::string& part, const char* mark) {
    const std::vector<std::string> halves = split(part, mark);
    if (halves.size() != 2)
      throw UsageError(
          fmt::format("needed two words with {} between, found {}", in_quotes(mark), in_quotes(part)));
    return std::make_pair(halves[0], halves[1]);
  };
  const std::vector<std::string> layers = split(text, "; ");
  if (layers.size() > static_cast<std::size_t>(kMostForms))
    throw UsageError(fmt::format("needed at most {} forms of layers, found {}", kMostForms, layers.size()));
  for (const std::string& layer : layers) {
    const auto [inner, groups] = in_two(layer, ": ");
    LayerForm form;
    form.inner_activation = compute::parse_activation(inner);
    for (const std::string& group : split(groups, " + ")) {
      const auto [channels, activation] = in_two(group, " ");
      form.groups.push_back({parse_channels(channels), compute::parse_activation(activation)});
    }
    forms.push_back(std::move(form));
  }
  return forms;
}

std::string to_string(const std::vector<LayerForm>& forms) {
  std::string text;
  for (const LayerForm& form : forms) {
    text += fmt::format("{}{}: ", text.empty() ? "" : "; ", compute::to_string(form.inner_activation));
    for (std::size_t i = 0; i < form.groups.size(); ++i)
      text += fmt::format("{}{} {}", i == 0 ? "" : " + ", form.groups[i].channels,
                          compute::to_string(form.groups[i].activation));
  }
  return text;
}

const char* to_string(ModelKind model) { return word_of(kModels, model); }
const char* to_string(Pooling pooling) { return word_of(kPoolings, pooling); }
const char* to_string(Attention attention) { return word_of(kAttentions, attention); }
const char* to_string(Head head) { return word_of(kHeads, head); }
const char* to_string(MlpForm form) { return word_of(kMlpForms, form); }
const char* to_string(Task task) { return word_of(kTasks, task); }

std::string to_json(const ModelOptions& options) { return options_json(options).dump(); }

ModelOptions model_options_from_json(const std::string& text, const std::string& source) {
  const ordered_json json = record::parse_json(text, source);
  if (!json.is_object())
    throw_input_error(source, 0, "a JSON object of model options", record::describe_json(json));
  ModelOptions options;
  std::vector<std::string> known;
  for_fields(options, [&](const char* key, auto& field, auto parse) {
    known.push_back(key);
    const auto at = json.find(key);
    if (at == json.end()) return;
    if constexpr (std::is_null_pointer_v<decltype(parse)>) {
      read_field(*at, key, source, field);
    } else {
      if (!at->is_string()) refuse_value(source, key, "a word", *at);
      try {
        field = parse(at->template get<std::string>());
      } catch (const UsageError& error) {
        throw InputError(fmt::format("{}: {}", source, error.what()));
      }
    }
  });
  for (const auto& [key, value] : json.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw_input_error(source, 0, fmt::format("model options {}", fmt::join(known, ", ")), in_quotes(key));
  try {
    check_options(options);
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
  return options;
}

}  // namespace twofold::nn
