#include "twofold/model/option_table.h"

#include "twofold/base/error.h"

namespace twofold::model {
namespace {

constexpr double kMillion = 1e6;
constexpr double kMany = 1e9;
constexpr double kMostRadius = 2147483647;
constexpr double kMostMembers = 1000;

// A field of LearnSettings, to read and to write.
// NOLINTBEGIN(bugprone-macro-parentheses): `s.(path)` is no expression
#define TWOFOLD_FIELD(path) \
  [](LearnSettings & s) -> auto& { return s.path; }
// NOLINTEND(bugprone-macro-parentheses)

template <typename Pick>
auto getter(Pick pick) {
  return [pick](const LearnSettings& s) -> Config { return pick(const_cast<LearnSettings&>(s)); };
}

template <typename Pick>
OptionRow integer(const char* name, unsigned models, Pick pick, int fallback, double least, double most,
                  const char* meaning) {
  ModelOption option{name, OptionKind::kInteger, fallback, meaning, least, most, {}, {}, {}, getter(pick)};
  option.set = [pick](LearnSettings& s, const Config& value) {
    auto& field = pick(s);
    field = static_cast<std::decay_t<decltype(field)>>(value.get<std::int64_t>());
  };
  return {std::move(option), models};
}

template <typename Pick>
OptionRow real(const char* name, unsigned models, Pick pick, double fallback, double least, double most,
               const char* meaning) {
  ModelOption option{name, OptionKind::kReal, fallback, meaning, least, most, {}, {}, {}, getter(pick)};
  option.set = [pick](LearnSettings& s, const Config& value) { pick(s) = value.get<double>(); };
  return {std::move(option), models};
}

template <typename Pick>
OptionRow flag(const char* name, unsigned models, Pick pick, bool fallback, const char* meaning) {
  ModelOption option{name, OptionKind::kBool, fallback, meaning, 0, 0, {}, {}, {}, getter(pick)};
  option.set = [pick](LearnSettings& s, const Config& value) { pick(s) = value.get<bool>(); };
  return {std::move(option), models};
}

template <typename Pick, typename Parse, typename Show>
OptionRow word(const char* name, unsigned models, Pick pick, const char* fallback,
               std::vector<std::string> words, const char* meaning, Parse parse, Show show) {
  ModelOption option{name, OptionKind::kWord, fallback, meaning, 0, 0, std::move(words), {}, {}, {}};
  option.set = [pick, parse](LearnSettings& s, const Config& value) {
    pick(s) = parse(value.get<std::string>());
  };
  option.get = [pick, show](const LearnSettings& s) -> Config {
    return std::string(show(pick(const_cast<LearnSettings&>(s))));
  };
  return {std::move(option), models};
}

OptionRow called(OptionRow row, std::vector<std::string> aliases) {
  row.option.aliases = std::move(aliases);
  return row;
}
OptionRow except(OptionRow row, unsigned models, Config fallback, std::vector<std::string> words = {}) {
  row.otherwise.push_back({models, std::move(fallback), std::move(words)});
  return row;
}

// An option that is newer than some files and records: these mean `before`, whatever the fallback becomes.
OptionRow newer(OptionRow row, Config before) {
  row.option.before = std::move(before);
  return row;
}

OptionRow pooling(std::vector<std::string> words) {
  ModelOption option{"pooling",
                     OptionKind::kWord,
                     "mean+max",
                     "Rows to graph; + puts values side by side",
                     0,
                     0,
                     std::move(words),
                     {},
                     {},
                     {}};
  option.set = [](LearnSettings& s, const Config& value) {
    const std::vector<Pooling> all = parse_poolings(value.get<std::string>());
    s.model.pooling = all[0];
    s.model.joined.assign(all.begin() + 1, all.end());
  };
  option.get = [](const LearnSettings& s) -> Config { return to_string(all_poolings(s.model)); };
  return {std::move(option), kNetworks};
}

OptionRow radius() {
  ModelOption option{"radius", OptionKind::kRadius,
                     1,        "Pairs of nodes up to this distance are rows",
                     1,        kMostRadius,
                     {},       {},
                     {},       {}};
  option.set = [](LearnSettings& s, const Config& value) {
    (s.is_kernel ? s.kernel.radius : s.model.radius) =
        pairs::parse_radius(value.is_string() ? value.get<std::string>() : value.dump());
  };
  option.get = [](const LearnSettings& s) -> Config {
    const pairs::Radius radius = s.is_kernel ? s.kernel.radius : s.model.radius;
    if (radius.is_all()) return "all";
    return std::int64_t{radius.steps()};
  };
  return {std::move(option), kTwoWl | kTwoWlKernel};
}

OptionRow device() {
  ModelOption option{
      "device", OptionKind::kText, "cpu", "Where gather-scatter computes: cpu, cuda, …", 0, 0, {}, {}, {}, {}};
  option.set = [](LearnSettings& s, const Config& value) { s.engine.device = value.get<std::string>(); };
  option.get = [](const LearnSettings& s) -> Config { return s.engine.device; };
  return {std::move(option), kNetworks};
}

// Fallbacks of the pair networks are what trains steadily at any depth and radius (docs/models.md): preset
// quick.
std::vector<OptionRow> network_rows() {
  const auto show = [](auto value) { return to_string(value); };
  const auto show_activation = [](auto value) { return compute::to_string(value); };
  const std::vector<std::string> activations = {"identity", "relu", "logistic", "tanh"};
  const std::vector<std::string> all_activations = {"identity", "relu", "logistic", "tanh", "gelu", "silu"};
  const std::vector<std::string> plain_poolings = {"mean",     "sum",         "max",         "min",
                                                   "mean+max", "sum+max",     "mean+sum",    "mean+sum+max",
                                                   "product",  "product+max", "mean+product"};
  std::vector<std::string> poolings = plain_poolings;
  poolings.insert(poolings.begin() + 1, "weighted-mean");
  const std::vector<std::string> norms = {"none", "batch", "layer"};
  return {
      radius(),
      word("variant", kMlp, TWOFOLD_FIELD(model.mlp_form), "deep-sets", {"deep-sets", "fingerprint"},
           "A layer on each node before the sum, or the sum of raw features first", parse_mlp_form, show),
      except(called(integer("layers", kNetworks & ~kMlp, TWOFOLD_FIELD(model.layers), 3, 1, kMostLayers,
                            "Convolutions, one after the other"),
                    {"num-layers", "depth"}),
             kTwoWl, 4),
      called(integer("width", kNetworks, TWOFOLD_FIELD(model.width), 32, 1, kMostWidth,
                     "Features of a row or node in hidden layers"),
             {"hidden", "hidden-dim", "hidden-size"}),
      except(word("activation", kStacks, TWOFOLD_FIELD(model.activation), "tanh", all_activations,
                  "After a convolution", compute::parse_activation, show_activation),
             kGcn | kSage, "relu"),
      word("inner-activation", kTwoWl, TWOFOLD_FIELD(model.inner_activation), "relu", activations,
           "Inside the sum over common neighbors", compute::parse_activation, show_activation),
      flag("train-eps", kGin, TWOFOLD_FIELD(model.train_eps), false,
           "Learn how much a node weighs against its neighbors"),
      except(except(pooling(poolings), kGcn | kSage, "sum"), kGin | kMlp, "sum", plain_poolings),
      word("attention", kStacks, TWOFOLD_FIELD(model.attention), "stack", {"scalar", "stack"},
           "The weights of the weighted mean: one per row, or one per channel", parse_attention, show),
      flag("loops-only", kPairs, TWOFOLD_FIELD(model.loops_only), false, "Pool the rows of single nodes only"),
      newer(flag("pool-by-kind", kPairs, TWOFOLD_FIELD(model.pool_by_kind), false,
                 "Pool loops, edges and indirect pairs each for itself"),
            false),
      word("head", kStacks, TWOFOLD_FIELD(model.head), "mlp", {"mlp", "linear", "none"},
           "After pooling: a network of one hidden layer, a linear map, or nothing", parse_head, show),
      newer(word("readout", kStacks, TWOFOLD_FIELD(model.readout), "last", {"last", "all"},
                 "Pool the last layer's rows, or every layer's with a head each", parse_readout, show),
            "last"),
      newer(except(word("norm", kStacks, TWOFOLD_FIELD(model.norm), "none", norms,
                        "Normalize a layer's rows over the batch, or each over its channels", parse_norm, show),
                   kPairs, "batch"),
            "none"),
      newer(word("sum-norm", kPairs | kSage, TWOFOLD_FIELD(model.sum_norm), "none", norms,
                 "The same for the sum over triples or neighbors", parse_norm, show),
            "none"),
      newer(word("pool-norm", kStacks, TWOFOLD_FIELD(model.pool_norm), "none", norms,
                 "Normalize what is pooled over the graphs of a batch, or each graph over its values",
                 parse_norm, show),
            "none"),
      newer(word("gate", kTwoWl, TWOFOLD_FIELD(model.gate), "bounded", {"linear", "bounded", "none"},
                 "What the sum is multiplied by: the row, its tanh, or nothing (added, two maps)", parse_gate,
                 show),
            "linear"),
      newer(
          flag("residual", kStacks, TWOFOLD_FIELD(model.residual), false, "Add a layer's rows to those before"),
          false),
      called(flag("jumping-knowledge", kStacks, TWOFOLD_FIELD(model.jumping_knowledge), true,
                  "Join the initial features to the input of later layers"),
             {"jk"}),
      flag("bias", kStacks, TWOFOLD_FIELD(model.bias), true, "Convolutions add biases"),
      flag("indicators", kPairs, TWOFOLD_FIELD(model.indicators), true,
           "Features say which rows are loops, edges, indirect"),
      flag("batch-norm", kGin, TWOFOLD_FIELD(model.batch_norm), true, "Normalize hidden layers over a batch"),
      newer(real("dropout", kNetworks & ~kMlp, TWOFOLD_FIELD(model.dropout), 0, 0, 0.999,
                 "Share of what is read out of a graph that is dropped in training"),
            0),
      newer(
          real(
              "layer-dropout", kNetworks & ~kMlp, TWOFOLD_FIELD(model.layer_dropout), 0, 0, 0.999,
              "Share of what layers read that is dropped in training, sparse features included; not on colors"),
          0),
      flag("node-attributes", kNodes, TWOFOLD_FIELD(model.node_attributes), true, "See real node attributes"),
      flag("degrees", kNetworks, TWOFOLD_FIELD(model.degree_features), false,
           "Degrees as node labels, for graphs without"),
      newer(integer("marks", kTwoWl | kGin, TWOFOLD_FIELD(model.marks), 0, 0, 1,
                    "1: read every graph once per node, that node marked, and pool over all"),
            0),
      flag("self-loops", kGin | kSage, TWOFOLD_FIELD(model.self_loops), true,
           "A node with a self-loop is its own neighbor"),
      flag("standardize", kNetworks, TWOFOLD_FIELD(standardize), true,
           "Attributes to mean 0, deviation 1 over the training graphs; sparse features divided by their sum"),
  };
}

std::vector<OptionRow> training_rows() {
  const auto show = [](auto value) { return to_string(value); };
  return {
      called(integer("batch", kNetworks, TWOFOLD_FIELD(train.batch.graphs), 32, 0, kMillion,
                     "Graphs per batch; 0: all in one"),
             {"batch-size"}),
      integer("batch-rows", kNetworks, TWOFOLD_FIELD(train.batch.close_at_rows), 0, 0, kMany,
              "Close a batch at so many rows; 0: no limit"),
      integer("batch-rows-max", kNetworks, TWOFOLD_FIELD(train.batch.rows), 0, 0, kMany,
              "Rows of a batch at most, single graphs apart; 0: as memory allows"),
      flag("shuffle", kNetworks, TWOFOLD_FIELD(train.shuffle), true, "Draw new batches every epoch"),
      except(
          called(integer("epochs", kNetworks, TWOFOLD_FIELD(train.epochs), 1000, 1, kMillion, "Epochs at most"),
                 {"max-epochs"}),
          kPairs, 200),
      except(integer("patience", kNetworks, TWOFOLD_FIELD(train.patience), 100, 0, kMillion,
                     "Stop after so many epochs without a better validation; 0: never"),
             kPairs, 200),
      word("stop-on", kNetworks, TWOFOLD_FIELD(train.monitor), "loss", {"loss", "metric", "metric+loss"},
           "What of the validation graphs has to get better; metric+loss: the loss where the metric is equal",
           parse_monitor, show),
      real("min-delta", kNetworks, TWOFOLD_FIELD(train.min_delta), 0.0001, 0, kMany, "By how much it has to"),
      newer(real("stop-below", kNetworks, TWOFOLD_FIELD(train.stop_below), 0.01, 0, kMany,
                 "Classes: stop when all graphs are right and both losses are below this; 0: never"),
            0.0),
      word(
          "keep", kNetworks, TWOFOLD_FIELD(train.restore_best), "best", {"best", "last"},
          "Which epoch's weights are kept", [](const std::string& text) { return text == "best"; },
          [](bool best) { return best ? "best" : "last"; }),
      except(called(real("lr", kNetworks, TWOFOLD_FIELD(train.learning_rate), 0.001, 1e-12, 1000,
                         "Learning rate of Adam"),
                    {"learning-rate"}),
             kPairs, 0.003),
      integer("lr-halve", kNetworks, TWOFOLD_FIELD(train.halve_every), 0, 0, kMillion,
              "Halve the learning rate every so many epochs; 0: never"),
      newer(except(real("warmup", kNetworks, TWOFOLD_FIELD(train.warmup), 0, 0, kMillion,
                        "Epochs over which the learning rate rises, step by step; 0: none"),
                   kPairs, 5.0),
            0.0),
      newer(except(word("schedule", kNetworks, TWOFOLD_FIELD(train.schedule), "constant",
                        {"constant", "cosine", "plateau"},
                        "How the learning rate falls: not, over all epochs, or when validation gets no better",
                        parse_schedule, show),
                   kPairs, "cosine"),
            "constant"),
      newer(real("lr-end", kNetworks, TWOFOLD_FIELD(train.end_share), 0, 0, 1,
                 "Share of the learning rate that cosine ends at and plateau never falls below"),
            0.0),
      newer(integer("plateau-patience", kNetworks, TWOFOLD_FIELD(train.plateau_patience), 20, 1, kMillion,
                    "Plateau: epochs without a better validation after which the rate falls"),
            20),
      newer(real("plateau-factor", kNetworks, TWOFOLD_FIELD(train.plateau_factor), 0.5, 0.001, 0.999,
                 "Plateau: what the rate is multiplied by"),
            0.5),
      newer(word("optimizer", kNetworks, TWOFOLD_FIELD(train.adam.optimizer), "adam", {"adam", "adamw"},
                 "Weight decay through the gradient, or beside it and of matrices only", parse_optimizer, show),
            "adam"),
      real("weight-decay", kNetworks, TWOFOLD_FIELD(train.adam.weight_decay), 0, 0, 1000,
           "L2 penalty of the weights; adamw: their decay per step, times the learning rate"),
      real("clip", kNetworks, TWOFOLD_FIELD(train.clip), 0, 0, kMany,
           "Shorten gradients longer than this; 0: never"),
      newer(real("average", kNetworks, TWOFOLD_FIELD(train.average), 0, 0, 0.999999,
                 "Validate and keep weights averaged over steps, with this decay per step; 0: not"),
            0.0),
      newer(integer("ensemble", kNetworks, TWOFOLD_FIELD(ensemble), 1, 1, kMostMembers,
                    "Networks trained from seeds of their own, whose answers are averaged"),
            1),
      flag("class-weights", kNetworks, TWOFOLD_FIELD(class_weights), false,
           "Classes count by the inverse of their frequency"),
      word("loss", kNetworks, TWOFOLD_FIELD(loss), "mse", {"mse", "mae"}, "Of real targets", parse_loss,
           [](Loss loss) { return to_string(loss); }),
      word("engine", kNetworks, TWOFOLD_FIELD(engine.kind), "auto",
           {"auto", "colors", "fused", "mixed", "gather-scatter"},
           "How it is computed: row by row is fused, its first layers on colors mixed, gather-scatter the "
           "paper's way",
           parse_engine, [](EngineKind kind) { return to_string(kind); }),
      device(),
  };
}

std::vector<OptionRow> kernel_rows() {
  return {
      except(called(integer("iterations", kKernels, TWOFOLD_FIELD(kernel.iterations), 3, 0,
                            gram::kMaxIterations, "Refinements after the initial colors"),
                    {"wl-iterations"}),
             kWlSt, 5),
      flag("edge-labels", kKernels, TWOFOLD_FIELD(kernel.edge_labels), false, "Edge labels enter the colors"),
      newer(word("combine", kKernels, TWOFOLD_FIELD(kernel.combine), "product", {"product", "intersection"},
                 "How often two graphs have a color: multiplied, or the smaller number (optimal assignment)",
                 gram::parse_combine, [](gram::Combine combine) { return to_string(combine); }),
            "product"),
      flag("normalize", kKernels, TWOFOLD_FIELD(normalize), false, "Cosine values instead of raw counts"),
      newer(real("gamma", kKernels, TWOFOLD_FIELD(gamma), 0, 0, 1e12,
                 "Above 0: exp(-gamma d^2) of the distances d that the kernel gives graphs"),
            0),
      real("penalty", kKernels, TWOFOLD_FIELD(penalty), 1, 1e-12, 1e12, "C of the support vector machine"),
      real("tolerance", kKernels, TWOFOLD_FIELD(tolerance), 0.001, 1e-9, 1,
           "Where the machine's training stops"),
      newer(word("solver", kKernels, TWOFOLD_FIELD(solver), "auto", {"auto", "libsvm", "linear"},
                 "Train on kernel values (libsvm), or on the counts themselves (linear); auto: linear beyond "
                 "10000 graphs",
                 svm::parse_solver, [](svm::Solver solver) { return to_string(solver); }),
            "auto"),
  };
}

#undef TWOFOLD_FIELD

}  // namespace

const std::vector<OptionRow>& option_table() {
  static const std::vector<OptionRow> table = [] {
    std::vector<OptionRow> rows = network_rows();
    for (OptionRow& row : training_rows()) rows.push_back(std::move(row));
    for (OptionRow& row : kernel_rows()) rows.push_back(std::move(row));
    return rows;
  }();
  return table;
}

}  // namespace twofold::model
