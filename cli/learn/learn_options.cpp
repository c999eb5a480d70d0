#include "cli/learn/learn_options.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "twofold/base/error.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;
using nn::ModelKind;

// Which models have an option.
enum Models : unsigned {
  kTwoWl = 1,
  kTwoGnn = 2,
  kGin = 4,
  kGcn = 8,
  kSage = 16,
  kMlp = 32,
  kKernels = 64,
  kPairs = kTwoWl | kTwoGnn,
  kStacks = kPairs | kGcn | kSage,
  kNodes = kGin | kGcn | kSage | kMlp,
  kNetworks = kPairs | kNodes,
};

unsigned models_bit(const LearnSettings& s) {
  if (s.is_kernel) return kKernels;
  switch (s.model.model) {
    case ModelKind::k2WlGnn:
      return kTwoWl;
    case ModelKind::k2Gnn:
      return kTwoGnn;
    case ModelKind::kGin:
      return kGin;
    case ModelKind::kGcn:
      return kGcn;
    case ModelKind::kSage:
      return kSage;
    case ModelKind::kMlp:
      return kMlp;
  }
  return 0;
}

struct LearnOption {
  const char* name;
  unsigned models;
  const char* type;  // empty for true or false
  const char* meaning;
  std::function<void(LearnSettings&, const std::string&)> set;
  std::function<ordered_json(const LearnSettings&)> get;
};

long long to_integer(const std::string& text, long long least, long long most) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    throw UsageError(fmt::format("needed an integer in {}..{}, found {}", least, most, in_quotes(text)));
  return value;
}

double to_real(const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
    throw UsageError(fmt::format("needed a number in {}..{}, found {}", least, most, in_quotes(text)));
  return value;
}

bool to_bool(const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw UsageError(fmt::format("needed true or false, found {}", in_quotes(text)));
}

template <typename Pick>
LearnOption integer(const char* name, unsigned models, long long least, long long most, const char* meaning,
                    Pick pick) {
  return {name,
          models,
          "N",
          meaning,
          [=](LearnSettings& s, const std::string& text) {
            auto& field = pick(s);
            field = static_cast<std::decay_t<decltype(field)>>(to_integer(text, least, most));
          },
          [=](const LearnSettings& s) { return pick(const_cast<LearnSettings&>(s)); }};
}
template <typename Pick>
LearnOption real(const char* name, unsigned models, double least, double most, const char* meaning, Pick pick) {
  return {name,
          models,
          "X",
          meaning,
          [=](LearnSettings& s, const std::string& text) { pick(s) = to_real(text, least, most); },
          [=](const LearnSettings& s) { return pick(const_cast<LearnSettings&>(s)); }};
}
template <typename Pick>
LearnOption flag(const char* name, unsigned models, const char* meaning, Pick pick) {
  return {name,
          models,
          "",
          meaning,
          [=](LearnSettings& s, const std::string& text) { pick(s) = to_bool(text); },
          [=](const LearnSettings& s) { return pick(const_cast<LearnSettings&>(s)); }};
}
template <typename Pick, typename Parse, typename Show>
LearnOption word(const char* name, unsigned models, const char* type, const char* meaning, Pick pick,
                 Parse parse, Show show) {
  return {name,
          models,
          type,
          meaning,
          [=](LearnSettings& s, const std::string& text) { pick(s) = parse(text); },
          [=](const LearnSettings& s) { return show(pick(const_cast<LearnSettings&>(s))); }};
}

#define TWOFOLD_FIELD(path) \
  [](LearnSettings & s) -> auto& { return s.path; }

train::Monitor parse_stop_on(const std::string& text) {
  if (text == "loss") return train::Monitor::kLoss;
  if (text == "metric") return train::Monitor::kAccuracy;
  throw UsageError(fmt::format("needed loss or metric, found {}", in_quotes(text)));
}
bool parse_keep(const std::string& text) {
  if (text == "best" || text == "last") return text == "best";
  throw UsageError(fmt::format("needed best or last, found {}", in_quotes(text)));
}
train::Loss parse_real_loss(const std::string& text) {
  const train::Loss loss = train::parse_loss(text);
  if (loss == train::Loss::kCrossEntropy) throw UsageError("needed mse or mae, found 'cross-entropy'");
  return loss;
}

std::vector<LearnOption> model_options() {
  const auto show = [](auto value) { return std::string(nn::to_string(value)); };
  const auto show_activation = [](auto value) { return std::string(compute::to_string(value)); };
  return {
      word("radius", kTwoWl, "R", "Pairs up to this distance are rows: 1, 2, … or all",
           TWOFOLD_FIELD(model.radius), pairs::parse_radius,
           [](pairs::Radius r) { return pairs::to_string(r); }),
      integer("layers", kNetworks & ~kMlp, 1, 64, "Convolutions, one after the other",
              TWOFOLD_FIELD(model.layers)),
      integer("width", kNetworks, 1, 4096, "Features of a row in hidden layers", TWOFOLD_FIELD(model.width)),
      word("activation", kStacks, "WORD", "After a convolution: identity, relu, logistic or tanh",
           TWOFOLD_FIELD(model.activation), compute::parse_activation, show_activation),
      word("inner-activation", kTwoWl, "WORD", "The same inside the sum over common neighbors",
           TWOFOLD_FIELD(model.inner_activation), compute::parse_activation, show_activation),
      word("pooling", kNetworks, "WORD", "Rows to graph: mean, weighted-mean, sum, max or min",
           TWOFOLD_FIELD(model.pooling), nn::parse_pooling, show),
      word("attention", kStacks, "WORD",
           "Weights of the weighted mean: scalar (one per row) or stack (one per channel)",
           TWOFOLD_FIELD(model.attention), nn::parse_attention, show),
      flag("loops-only", kPairs, "Pool the rows of single nodes only", TWOFOLD_FIELD(model.loops_only)),
      word("head", kStacks, "WORD", "After pooling: mlp (one hidden layer) or none", TWOFOLD_FIELD(model.head),
           nn::parse_head, show),
      flag("jumping-knowledge", kStacks, "Join the initial features to the input of later layers",
           TWOFOLD_FIELD(model.jumping_knowledge)),
      flag("bias", kStacks, "Convolutions add biases", TWOFOLD_FIELD(model.bias)),
      flag("indicators", kPairs, "Features say which rows are loops, edges, indirect",
           TWOFOLD_FIELD(model.indicators)),
      flag("train-eps", kGin, "Learn how much a node weighs against its neighbors",
           TWOFOLD_FIELD(model.train_eps)),
      flag("batch-norm", kGin, "Normalize hidden layers over a batch", TWOFOLD_FIELD(model.batch_norm)),
      real("dropout", kGin, 0, 0.999, "Share of each layer's readout dropped in training",
           TWOFOLD_FIELD(model.dropout)),
      word("variant", kMlp, "WORD",
           "deep-sets (a layer on each node, then the sum) or fingerprint (the sum first)",
           TWOFOLD_FIELD(model.mlp_form), nn::parse_mlp_form, show),
      flag("node-attributes", kNodes, "See real node attributes", TWOFOLD_FIELD(model.node_attributes)),
      flag("self-loops", kGin | kSage, "A node with a self-loop is its own neighbor",
           TWOFOLD_FIELD(model.self_loops)),
      flag("degrees", kNetworks, "Degrees as node labels, for graphs without",
           TWOFOLD_FIELD(model.degree_features)),
      flag("standardize", kNetworks, "Attributes to mean 0, deviation 1 over the training graphs",
           TWOFOLD_FIELD(standardize)),
  };
}

std::vector<LearnOption> training_options() {
  return {
      integer("batch", kNetworks, 0, 1'000'000, "Graphs a batch; 0: all in one",
              TWOFOLD_FIELD(train.batch.graphs)),
      integer("batch-rows", kNetworks, 0, 1'000'000'000, "Close a batch at so many rows; 0: no limit",
              TWOFOLD_FIELD(train.batch.close_at_rows)),
      integer("batch-rows-max", kNetworks, 0, 1'000'000'000,
              "Rows a batch at most, single graphs apart; 0: as memory allows",
              TWOFOLD_FIELD(train.batch.rows)),
      flag("shuffle", kNetworks, "Draw new batches every epoch", TWOFOLD_FIELD(train.shuffle)),
      integer("epochs", kNetworks, 1, 1'000'000, "Epochs at most", TWOFOLD_FIELD(train.epochs)),
      integer("patience", kNetworks, 0, 1'000'000,
              "Stop after so many epochs without a better validation; 0: never", TWOFOLD_FIELD(train.patience)),
      word("stop-on", kNetworks, "WORD", "What has to get better: loss or metric", TWOFOLD_FIELD(train.monitor),
           parse_stop_on,
           [](train::Monitor m) { return std::string(m == train::Monitor::kLoss ? "loss" : "metric"); }),
      real("min-delta", kNetworks, 0, 1e9, "By how much it has to", TWOFOLD_FIELD(train.min_delta)),
      real("stop-below", kNetworks, 0, 1e9,
           "Classes: stop when all graphs are right and both losses are below this; 0: never",
           TWOFOLD_FIELD(train.stop_below)),
      word("keep", kNetworks, "WORD", "Which epoch's weights are kept: best or last",
           TWOFOLD_FIELD(train.restore_best), parse_keep,
           [](bool best) { return std::string(best ? "best" : "last"); }),
      real("lr", kNetworks, 1e-12, 1000, "Learning rate of Adam", TWOFOLD_FIELD(train.learning_rate)),
      integer("lr-halve", kNetworks, 0, 1'000'000, "Halve it every so many epochs; 0: never",
              TWOFOLD_FIELD(train.halve_every)),
      real("weight-decay", kNetworks, 0, 1000, "L2 penalty of the weights",
           TWOFOLD_FIELD(train.adam.weight_decay)),
      real("clip", kNetworks, 0, 1e9, "Shorten gradients longer than this; 0: never",
           TWOFOLD_FIELD(train.clip)),
      flag("class-weights", kNetworks, "Classes count by the inverse of their frequency",
           TWOFOLD_FIELD(class_weights)),
      word("loss", kNetworks, "WORD", "Of real targets: mse or mae", TWOFOLD_FIELD(loss), parse_real_loss,
           [](train::Loss loss) { return std::string(train::to_string(loss)); }),
      word("engine", kNetworks, "WORD",
           "auto, colors, fused (row by row) or gather-scatter (the paper's, any device)",
           TWOFOLD_FIELD(engine.kind), train::parse_engine,
           [](train::EngineKind kind) { return std::string(train::to_string(kind)); }),
      word(
          "device", kNetworks, "WORD", "Where gather-scatter computes: cpu, cuda, …",
          TWOFOLD_FIELD(engine.device), [](const std::string& text) { return text; },
          [](const std::string& text) { return text; }),
      integer("iterations", kKernels, 0, gram::kMaxIterations, "Kernels: refinements after the initial colors",
              TWOFOLD_FIELD(kernel.iterations)),
      flag("edge-labels", kKernels, "Kernels: edge labels enter the colors", TWOFOLD_FIELD(kernel.edge_labels)),
      flag("normalize", kKernels, "Kernels: cosine values instead of raw counts", TWOFOLD_FIELD(normalize)),
      real("penalty", kKernels, 1e-12, 1e12, "Kernels: C of the support vector machine",
           TWOFOLD_FIELD(penalty)),
  };
}

#undef TWOFOLD_FIELD

const std::vector<LearnOption>& all_options() {
  static const std::vector<LearnOption> all = [] {
    std::vector<LearnOption> joined = model_options();
    for (LearnOption& option : training_options()) joined.push_back(std::move(option));
    return joined;
  }();
  return all;
}

// What differs in `train`. Chosen by validation on generated TRIANGLE sets of other seeds (docs/models.md).
void prefer_soon(LearnSettings& settings) {
  settings.train.stop_below = 0.01;
  settings.train.patience = 100;
  if (!nn::has_pair_rows(settings.model.model)) return;
  settings.model.pooling = nn::Pooling::kMax;
  settings.train.learning_rate = 0.003;
}

LearnSettings defaults_of(const std::string& model, LearnDefaults defaults) {
  LearnSettings settings;
  constexpr const char* kKernelNames[] = {"wl-st", "wl-sp", "2-lwl", "2-gwl"};
  for (const char* name : kKernelNames)
    if (model == name) {
      settings.is_kernel = true;
      settings.kernel.kind = gram::parse_kernel(model);
      settings.kernel.iterations = 3;
      return settings;
    }
  try {
    settings.model = nn::default_options(nn::parse_model(model));
  } catch (const UsageError&) {
    throw UsageError(fmt::format(
        "needed a model 2-wl-gnn, 2-gnn, gin, gcn, sage, mlp, wl-st, wl-sp, 2-lwl or 2-gwl, found {}",
        in_quotes(model)));
  }
  if (defaults == LearnDefaults::kTrain) prefer_soon(settings);
  return settings;
}

}  // namespace

void declare_learning(Options& flags, std::string& model, GivenOptions& given, LearnDefaults defaults) {
  flags.add("--model", model, "2-wl-gnn, 2-gnn, gin, gcn, sage, mlp, or a kernel: wl-st, wl-sp, 2-lwl, 2-gwl")
      .show_default()
      .type_name("MODEL");
  const LearnSettings shown = defaults_of("2-wl-gnn", defaults);
  for (const LearnOption& option : all_options()) {
    const std::string name = option.name;
    const ordered_json fallback = option.get(shown);
    const std::string text = fallback.is_string() ? fallback.get<std::string>() : fallback.dump();
    Option& declared = flags.add_call(
        "--" + name, [&given, name](const std::string& value) { given.emplace_back(name, value); },
        fmt::format("{} [{}]", option.meaning, text));
    declared.group(option.models == kKernels ? "Kernels" : "Learning");
    declared.type_name(option.type[0] == '\0' ? "BOOL" : option.type);
    if (option.type[0] == '\0') declared.optional_value("true");
  }
}

LearnSettings resolve_learning(const std::string& model, const GivenOptions& given, LearnDefaults defaults) {
  LearnSettings settings = defaults_of(model, defaults);
  const unsigned bit = models_bit(settings);
  for (const auto& [name, text] : given)
    for (const LearnOption& option : all_options()) {
      if (name != option.name) continue;
      if ((option.models & bit) == 0)
        throw UsageError(fmt::format("the model {} has no option --{}", model, name));
      try {
        option.set(settings, text);
      } catch (const UsageError& error) {
        throw UsageError(fmt::format("--{}: {}", name, error.what()));
      }
    }
  if (!settings.is_kernel) {
    nn::check_options(settings.model);
    train::check_options(settings.train);
  }
  return settings;
}

std::string settings_json(const LearnSettings& settings) {
  ordered_json json;
  json["model"] =
      settings.is_kernel ? gram::kernel_name(settings.kernel.kind) : nn::to_string(settings.model.model);
  for (const LearnOption& option : all_options())
    if ((option.models & models_bit(settings)) != 0) json[option.name] = option.get(settings);
  return json.dump();
}

}  // namespace twofold::cli
