#include "cli/learn/command_bench_epoch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "cli/learn/learn_data.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/base/random.h"
#include "twofold/io/dataset_file.h"
#include "twofold/train/trainer.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// One engine and the training it is in the middle of.
struct Contestant {
  std::unique_ptr<train::Engine> engine;
  train::TrainState state;
  double encode_seconds = 0;
  std::vector<double> seconds;

  double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

class EpochBench {
 public:
  EpochBench(const BenchEpochOptions& options, LearnSettings settings, Dataset dataset)
      : settings_(std::move(settings)), dataset_(std::move(dataset)) {
    if (options.limit != 0 && options.limit < dataset_.graphs.size()) keep_some(options.limit, options.seed);
    const LearnTargets targets = choose_targets(dataset_, 0, options.dataset);
    settings_.model.task = targets.task;
    settings_.model.outputs = targets.outputs;
    settings_.train.seed = options.seed;
    settings_.engine.threads = options.threads;
    settings_.engine.batch_graphs = settings_.train.batch.graphs;
    nn::check_options(settings_.model);
    all_.resize(dataset_.graphs.size());
    std::iota(all_.begin(), all_.end(), 0);
    task_.kind = targets.task;
    task_.outputs = static_cast<std::size_t>(targets.outputs);
    if (task_.kind == nn::Task::kRegression) task_.loss = settings_.loss;
    train::fit_targets(task_, targets.targets, settings_.class_weights);
    input_ = train::input_layout(dataset_.graphs, settings_.model);
    if (settings_.standardize && !input_.features.has_labels_only())
      task_.features = train::attribute_scaling(dataset_.graphs, all_);
    if (input_.features.node_attributes == 0) task_.features.node_mean = task_.features.node_scale = {};
    if (input_.features.edge_attributes == 0) task_.features.edge_mean = task_.features.edge_scale = {};
    targets_ = targets.targets;
    limits_ = {options.max_memory, options.threads};
  }

  // Each engine has an encoding of its own, as if it were alone.
  Contestant prepare(train::EngineKind kind) {
    Contestant contestant;
    const double start = now();
    data_.push_back(std::make_unique<train::EncodedDataset>(dataset_.graphs, settings_.model, input_, limits_));
    data_.back()->targets = targets_;
    train::EngineOptions how = settings_.engine;
    how.kind = kind;
    contestant.engine = train::make_engine(*data_.back(), settings_.model, task_, how);
    contestant.encode_seconds = now() - start;
    layout_ = nn::parameter_layout(settings_.model, data_.back()->columns());
    contestant.state = train::initial_state(layout_, settings_.train.seed);
    return contestant;
  }

  // A wrong answer is not timed.
  void require_same(Contestant& a, Contestant& b) {
    train::Batch batch;
    for (std::size_t i = 0; i < std::min<std::size_t>(8, all_.size()); ++i) batch.graphs.push_back(all_[i]);
    const auto loss_of = [&](Contestant& contestant, std::vector<float>& gradient) {
      gradient.assign(layout_.size, 0);
      std::vector<float> parameters = contestant.state.parameters;
      std::vector<float> outputs(batch.graphs.size() * task_.outputs);
      return contestant.engine->loss_and_gradient(batch, parameters, gradient, outputs);
    };
    std::vector<float> of_a, of_b;
    const double loss_a = loss_of(a, of_a), loss_b = loss_of(b, of_b);
    double most = 0, difference = std::fabs(loss_a - loss_b);
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      most = std::max(most, static_cast<double>(std::fabs(of_a[i])));
      difference = std::max(difference, static_cast<double>(std::fabs(of_a[i] - of_b[i])));
    }
    // Below the last term there is nothing left to learn, and roundings of the outputs are all there is.
    if (!(difference <= 1e-3 * (most + std::fabs(loss_a) + 1e-6)))
      throw Error(fmt::format("the engines disagree (by {:g} in a loss of {:g}): nothing was timed", difference,
                              loss_a));
  }

  void run_epoch(Contestant& contestant, bool counts) {
    train::TrainOptions how = settings_.train;
    how.epochs = contestant.state.epoch() + 1;
    how.patience = 0;
    const train::EncodedDataset& data = *data_[counts_of(contestant)];
    const double start = now();
    train::train(*contestant.engine, data, all_, {}, layout_, task_, how, contestant.state);
    if (counts) contestant.seconds.push_back(now() - start);
  }

  std::uint64_t num_rows() const { return data_[0]->num_rows(); }
  // Without encoding pairs only to count them: on colors they are known.
  std::uint64_t num_triples(const Contestant& contestant) const {
    if (settings_.model.model != nn::ModelKind::k2WlGnn) return 0;
    if (contestant.engine->kind() != train::EngineKind::kColors) return data_[0]->num_triples();
    const levels::ColorLevels& levels = data_[0]->color_levels(settings_.model.layers);
    return std::accumulate(levels.graph_triples.begin(), levels.graph_triples.end(), std::uint64_t{0});
  }
  const LearnSettings& settings() const { return settings_; }
  std::size_t num_graphs() const { return all_.size(); }

  void add(Contestant* contestant) { contestants_.push_back(contestant); }

 private:
  std::size_t counts_of(const Contestant& contestant) const {
    for (std::size_t i = 0; i < contestants_.size(); ++i)
      if (contestants_[i] == &contestant) return i;
    return 0;
  }

  void keep_some(std::size_t count, std::uint64_t seed) {
    std::vector<std::uint32_t> order(dataset_.graphs.size());
    std::iota(order.begin(), order.end(), 0);
    Random(seed).shuffle(order);
    order.resize(count);
    std::vector<Graph> graphs;
    std::vector<std::uint32_t> classes;
    std::vector<double> values;
    for (const std::uint32_t g : order) {
      graphs.push_back(dataset_.graphs[g]);
      if (dataset_.has_classes()) classes.push_back(dataset_.class_of[g]);
      for (std::size_t k = 0; k < dataset_.num_real_targets; ++k)
        values.push_back(dataset_.real_targets[g * dataset_.num_real_targets + k]);
    }
    dataset_.graphs = std::move(graphs);
    dataset_.class_of = std::move(classes);
    dataset_.real_targets = std::move(values);
  }

  LearnSettings settings_;
  Dataset dataset_;
  std::vector<std::uint32_t> all_;
  std::vector<double> targets_;
  train::Task task_;
  train::InputLayout input_;
  train::EncodeLimits limits_;
  nn::ParameterLayout layout_;
  std::vector<std::unique_ptr<train::EncodedDataset>> data_;
  std::vector<const Contestant*> contestants_;
};

}  // namespace

void declare_bench_epoch(CLI::App& app, BenchEpochOptions& options) {
  app.add_option("DATASET", options.dataset, "TU folder or zip, JSON-lines file, - or TRIANGLE")
      ->required()
      ->type_name("");
  declare_learning(app, options.model, options.given);
  app.add_option("--against", options.against,
                 "Measure this engine too, epoch by epoch in turn: auto, colors, fused or gather-scatter")
      ->type_name("ENGINE");
  app.add_option("--repeats", options.repeats, "Epochs to measure, after one to warm up")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--limit", options.limit, "Only so many graphs, drawn by the seed; 0: all")
      ->capture_default_str()
      ->type_name("N");
  declare_seed(app, options.seed);
  declare_threads(app, options.threads);
  declare_max_memory(app, options.max_memory);
  declare_json(app, options.json);
  declare_quiet(app, options.quiet);
  app.footer(R"(
An epoch is what training does in one: new batches, forward, backward and the optimizer's step for every graph,
without validation. With --against, both engines first have to give the same loss and gradient.

Examples:
  twofold bench epoch data/NCI1 --radius 1 --layers 3 --width 32 --batch 32
  twofold bench epoch data/NCI1 --radius 8 --engine fused --against gather-scatter --limit 400)");
}

int run_bench_epoch(const BenchEpochOptions& options, std::ostream& out, std::ostream& err) {
  const LearnSettings settings = resolve_learning(options.model, options.given);
  if (settings.is_kernel)
    throw UsageError(fmt::format("{} is a kernel and has no epochs", options.model));
  std::optional<train::EngineKind> other;
  if (!options.against.empty()) other = train::parse_engine(options.against);

  EpochBench bench(options, settings, io::read_dataset(options.dataset, options.threads));
  const auto total = static_cast<std::uint64_t>(options.repeats + 1);
  Contestant own = bench.prepare(settings.engine.kind);
  bench.add(&own);
  Contestant rival;
  if (other) {
    rival = bench.prepare(*other);
    bench.add(&rival);
    bench.require_same(own, rival);
  }
  {
    ProgressOptions how;
    how.label = "bench epoch";
    how.unit = "epochs";
    how.quiet = options.quiet;
    ProgressLine line(err, how);
    const Progress progress = line.progress();
    for (std::uint64_t epoch = 0; epoch < total; ++epoch) {
      bench.run_epoch(own, epoch > 0);
      if (other) bench.run_epoch(rival, epoch > 0);
      if (progress) progress(epoch + 1, total);
    }
  }

  const nn::ModelOptions& model = bench.settings().model;
  ordered_json result = {
      {"engine", train::to_string(own.engine->kind())},
      {"model", options.model},
      {"radius", model.model == nn::ModelKind::k2WlGnn ? ordered_json(pairs::to_string(model.radius))
                                                       : ordered_json(nullptr)},
      {"graphs", bench.num_graphs()},
      {"rows", bench.num_rows()},
      {"triples", bench.num_triples(own)},
      {"layers", model.layers},
      {"width", model.width},
      {"batch", bench.settings().train.batch.graphs},
      {"threads", resolve_threads(options.threads)},
      {"epoch_seconds", own.best()},
      {"epoch_seconds_median", own.median()},
      {"encode_seconds", own.encode_seconds},
      {"peak_memory_bytes", peak_memory()}};
  if (other) {
    result["against"] = {{"engine", train::to_string(rival.engine->kind())},
                         {"epoch_seconds", rival.best()},
                         {"epoch_seconds_median", rival.median()},
                         {"encode_seconds", rival.encode_seconds}};
    result["ratio"] = rival.best() / own.best();
  }
  if (options.json) {
    out << result.dump() << '\n';
    return 0;
  }
  out << fmt::format("{} on {} graphs, {} rows, {} triples, {} thread(s)\n", options.model, bench.num_graphs(),
                     bench.num_rows(), result["triples"].get<std::uint64_t>(),
                     resolve_threads(options.threads));
  const auto say = [&](const Contestant& contestant) {
    out << fmt::format("{:<15} {:.4f} s an epoch (median {:.4f}), {:.2f} s to encode\n",
                       train::to_string(contestant.engine->kind()), contestant.best(), contestant.median(),
                       contestant.encode_seconds);
  };
  say(own);
  if (other) {
    say(rival);
    out << fmt::format("{} takes {:.2f} times as long\n", train::to_string(rival.engine->kind()),
                       rival.best() / own.best());
  }
  out << fmt::format("peak memory     {}\n", format_bytes(peak_memory()));
  return 0;
}

}  // namespace twofold::cli
