#include "twofold/model/model_options.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "twofold/base/error.h"

namespace twofold::model {
namespace {

// A simulated network takes several layers for one, and carries the features of all of them.
constexpr int kMostForms = 1024;
constexpr int kMostFormChannels = 99'999;
constexpr int kMostGroups = 1000;

template <typename E>
struct Word {
  E value;
  const char* word;
};

constexpr Word<ModelKind> kModelWords[] = {{ModelKind::k2WlGnn, "2-wl-gnn"}, {ModelKind::k2Gnn, "2-gnn"},
                                           {ModelKind::kGin, "gin"},         {ModelKind::kGcn, "gcn"},
                                           {ModelKind::kSage, "sage"},       {ModelKind::kMlp, "mlp"}};
constexpr Word<Pooling> kPoolings[] = {{Pooling::kMean, "mean"}, {Pooling::kWeightedMean, "weighted-mean"},
                                       {Pooling::kSum, "sum"},   {Pooling::kMax, "max"},
                                       {Pooling::kMin, "min"},   {Pooling::kProduct, "product"}};
constexpr Word<Attention> kAttentions[] = {{Attention::kScalar, "scalar"}, {Attention::kStack, "stack"}};
constexpr Word<Head> kHeads[] = {{Head::kMlp, "mlp"}, {Head::kLinear, "linear"}, {Head::kNone, "none"}};
constexpr Word<Readout> kReadouts[] = {{Readout::kLast, "last"}, {Readout::kAll, "all"}};
constexpr Word<Norm> kNorms[] = {{Norm::kNone, "none"}, {Norm::kBatch, "batch"}, {Norm::kLayer, "layer"}};
constexpr Word<Gate> kGates[] = {{Gate::kLinear, "linear"}, {Gate::kBounded, "bounded"}, {Gate::kNone, "none"}};
constexpr Word<MlpForm> kMlpForms[] = {{MlpForm::kPerVertex, "deep-sets"},
                                       {MlpForm::kSumOfFeatures, "fingerprint"}};
constexpr Word<TaskKind> kTasks[] = {{TaskKind::kBinary, "binary"},
                                     {TaskKind::kMultiClass, "multi-class"},
                                     {TaskKind::kRegression, "regression"},
                                     {TaskKind::kYesNo, "yes-no"}};
constexpr Word<TargetOf> kTargetsOf[] = {
    {TargetOf::kGraphs, "graphs"}, {TargetOf::kNodes, "nodes"}, {TargetOf::kLinks, "links"}};

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

// Inside a sum over triples the slope must follow from the value, and there is no other kind of loop.
void require_inner(Activation activation) {
  if (compute::slope_needs_input(activation))
    throw UsageError(fmt::format("needed an inner activation identity, relu, logistic or tanh, found {}",
                                 compute::to_string(activation)));
}

void check_forms(const ModelOptions& o) {
  if (o.model != ModelKind::k2WlGnn) refuse_combination(o.model, "forms of layers");
  if (o.jumping_knowledge || !o.bias)
    throw UsageError("needed biases and no jumping knowledge with forms of layers, found others");
  if (o.norm != Norm::kNone || o.sum_norm != Norm::kNone || o.pool_norm != Norm::kNone ||
      o.gate != Gate::kLinear || o.residual)
    throw UsageError("needed the paper's layers (linear gate, no norm, no residual) with forms, found others");
  if (static_cast<std::size_t>(o.layers) != o.layer_forms.size())
    throw UsageError(
        fmt::format("needed a form for each of {} layers, found {}", o.layers, o.layer_forms.size()));
  for (const LayerForm& form : o.layer_forms) {
    require_inner(form.inner_activation);
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

// What is read out of which layers, and how it is put together.
void check_readout(const ModelOptions& o) {
  const bool has_weights = o.pooling == Pooling::kWeightedMean ||
                           std::count(o.joined.begin(), o.joined.end(), Pooling::kWeightedMean) > 0;
  if (has_weights && !o.joined.empty())
    throw UsageError("needed a weighted mean alone, found it joined to other poolings");
  if (o.head == Head::kNone && (!o.joined.empty() || o.pool_by_kind || o.readout == Readout::kAll ||
                                o.dropout != 0 || o.pool_norm != Norm::kNone))
    throw UsageError(
        "needed a head (mlp or linear) for joined poolings, pooling by kind, the readout of all layers, "
        "dropout and a norm of what is pooled, found none");
  if (o.readout == Readout::kAll && has_weights)
    throw UsageError("needed another pooling than the weighted mean for the readout of all layers");
  if (o.pool_by_kind && has_weights)
    throw UsageError("needed another pooling than the weighted mean for pooling by kind");
}

}  // namespace

int LayerForm::channels() const {
  return std::accumulate(groups.begin(), groups.end(), 0,
                         [](int sum, const ChannelGroup& group) { return sum + group.channels; });
}

bool operator==(const ModelOptions& a, const ModelOptions& b) {
  const auto fields = [](const ModelOptions& o) {
    return std::make_tuple(o.model, o.layers, o.width, o.activation, o.inner_activation, o.indicators, o.bias,
                           o.jumping_knowledge, o.pooling, o.attention, o.loops_only, o.head, o.train_eps,
                           o.batch_norm, o.dropout, o.mlp_form, o.node_attributes, o.degree_features,
                           o.self_loops, o.task, o.outputs, o.joined, o.pool_by_kind, o.readout, o.norm,
                           o.sum_norm, o.gate, o.residual, o.about, o.layer_dropout, o.marks, o.pool_norm);
  };
  return fields(a) == fields(b) && a.radius == b.radius && to_string(a.layer_forms) == to_string(b.layer_forms);
}

std::size_t num_kinds(const ModelOptions& o) {
  if (o.about == TargetOf::kGraphs) return o.pool_by_kind ? 3 : 1;
  return o.about == TargetOf::kLinks && has_pair_rows(o.model) ? 2 : 1;
}

bool has_pair_rows(ModelKind model) { return model == ModelKind::k2WlGnn || model == ModelKind::k2Gnn; }

ModelOptions plain_options(ModelKind model) {
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
  if (o.task == TaskKind::kMultiClass && o.outputs < 2)
    throw UsageError(fmt::format("needed 2 outputs or more for several classes, found {}", o.outputs));
  if (o.task == TaskKind::kBinary && o.outputs != 1)
    throw UsageError(fmt::format("needed 1 output for the task {}, found {}", to_string(o.task), o.outputs));
  if (!(o.dropout >= 0 && o.dropout < 1))
    throw UsageError(fmt::format("needed dropout from 0 to below 1, found {}", o.dropout));
  if (o.model == ModelKind::kGin || o.model == ModelKind::kMlp) {
    if (o.pooling == Pooling::kWeightedMean) refuse_combination(o.model, "weighted mean (pooling)");
    if (o.head != Head::kMlp) refuse_combination(o.model, fmt::format("head {}", to_string(o.head)));
    if (o.jumping_knowledge) refuse_combination(o.model, "jumping knowledge");
    if (o.readout != Readout::kLast) refuse_combination(o.model, "other readout");
    if (o.norm != Norm::kNone || o.sum_norm != Norm::kNone || o.pool_norm != Norm::kNone || o.residual)
      refuse_combination(o.model, "norm, sum norm, pool norm or residual");
  }
  require_inner(o.inner_activation);
  if (!(o.layer_dropout >= 0 && o.layer_dropout < 1))
    throw UsageError(fmt::format("needed layer dropout from 0 to below 1, found {}", o.layer_dropout));
  if (o.model == ModelKind::kMlp && o.layer_dropout != 0) refuse_combination(o.model, "layer dropout");
  if (o.about != TargetOf::kGraphs && (o.pool_by_kind || o.loops_only))
    throw UsageError(fmt::format("needed no pooling by kind and no loops alone where {} are learnt, found one",
                                 to_string(o.about)));
  if (o.about != TargetOf::kGraphs && !o.layer_forms.empty())
    throw UsageError("needed graphs to learn for forms of layers (simulated networks), found another task");
  if (num_kinds(o) > 1 && (o.head == Head::kNone || o.pooling == Pooling::kWeightedMean))
    throw UsageError(
        "needed a head (mlp or linear) and another pooling than the weighted mean where links are learnt on "
        "pairs");
  if (o.model == ModelKind::kMlp && o.dropout != 0) refuse_combination(o.model, "dropout");
  if (o.gate != Gate::kLinear && o.model != ModelKind::k2WlGnn) refuse_combination(o.model, "gate");
  if (o.sum_norm != Norm::kNone && o.model == ModelKind::kGcn) refuse_combination(o.model, "sum norm");
  if (o.pool_by_kind && !has_pair_rows(o.model)) refuse_combination(o.model, "kinds of rows (pool by kind)");
  if (o.pool_by_kind && o.loops_only) throw UsageError("needed rows pooled by kind or loops alone, found both");
  check_readout(o);
  if (!o.node_attributes && has_pair_rows(o.model))
    refuse_combination(o.model, "way to leave out node attributes");
  if (o.loops_only && !has_pair_rows(o.model))
    refuse_combination(o.model, "rows other than loops (loops only)");
  require_range("marks", o.marks, 0, 1);
  if (o.marks > 0) {
    if (o.model != ModelKind::k2WlGnn && o.model != ModelKind::kGin) refuse_combination(o.model, "marks");
    if (o.model == ModelKind::k2WlGnn && o.radius.is_all())
      throw UsageError("needed a radius of 1, 2, … with marks, found all");
    if (o.about != TargetOf::kGraphs)
      throw UsageError(
          fmt::format("needed targets of graphs with marks, found targets of {}", to_string(o.about)));
  }
  if (has_forms) check_forms(o);
}

ModelKind parse_model(const std::string& word) { return parse_word(kModelWords, "a model", word); }
std::vector<Pooling> parse_poolings(const std::string& words) {
  std::vector<Pooling> poolings;
  for (const std::string& word : split(words, "+"))
    poolings.push_back(parse_word(kPoolings, "a pooling", word));
  return poolings;
}
std::string to_string(const std::vector<Pooling>& poolings) {
  std::string text;
  for (const Pooling pooling : poolings) text += (text.empty() ? "" : "+") + std::string(to_string(pooling));
  return text;
}
std::vector<Pooling> all_poolings(const ModelOptions& options) {
  std::vector<Pooling> poolings;
  poolings.push_back(options.pooling);
  for (const Pooling joined : options.joined) poolings.push_back(joined);
  return poolings;
}
Readout parse_readout(const std::string& word) { return parse_word(kReadouts, "a readout", word); }
Norm parse_norm(const std::string& word) { return parse_word(kNorms, "a norm", word); }
Gate parse_gate(const std::string& word) { return parse_word(kGates, "a gate", word); }
Attention parse_attention(const std::string& word) { return parse_word(kAttentions, "an attention", word); }
Head parse_head(const std::string& word) { return parse_word(kHeads, "a head", word); }
MlpForm parse_mlp_form(const std::string& word) { return parse_word(kMlpForms, "a variant", word); }
TargetOf parse_target_of(const std::string& word) { return parse_word(kTargetsOf, "what is learnt", word); }
TaskKind parse_task_kind(const std::string& word) { return parse_word(kTasks, "a task", word); }

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

const char* to_string(ModelKind model) { return word_of(kModelWords, model); }
const char* to_string(Pooling pooling) { return word_of(kPoolings, pooling); }
const char* to_string(Readout readout) { return word_of(kReadouts, readout); }
const char* to_string(Norm norm) { return word_of(kNorms, norm); }
const char* to_string(Gate gate) { return word_of(kGates, gate); }
const char* to_string(Attention attention) { return word_of(kAttentions, attention); }
const char* to_string(Head head) { return word_of(kHeads, head); }
const char* to_string(MlpForm form) { return word_of(kMlpForms, form); }
const char* to_string(TargetOf about) { return word_of(kTargetsOf, about); }
const char* to_string(TaskKind task) { return word_of(kTasks, task); }

}  // namespace twofold::model
